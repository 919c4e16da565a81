import { describe, expect, it } from 'vitest'
import { captureServer } from '../../../http/capture-server.fixture.ts'
import { configured } from '../configured.fixture.ts'
import { deliver, describeDelivery, renderedNotification, testPorts } from '../delivery.fixture.ts'
import { discord } from './notifier.ts'

describeDelivery({
  kind: discord,
  settings: (url) => ({ webhook_url: `${url}/api/webhooks/7/t0ken` }),
  secrets: ['t0ken'],
  accepted: { status: 204 },
  recorded: { firing: ['discord'], resolved: ['discord'] },
})

describe('the message', () => {
  async function messageOf(given: object): Promise<object> {
    const { requests } = await deliver({
      kind: discord,
      settings: (url) => ({ webhook_url: url, ...given }),
    })
    return JSON.parse(requests[0]?.body ?? '')
  }

  it('has the configured name and avatar, unrendered', async () => {
    const message = await messageOf({ username: '{{ x', avatar_url: 'http://a/{{ y' })
    expect(message).toMatchObject({ username: '{{ x', avatar_url: 'http://a/{{ y' })
  })

  it('is truncated to the limits of Discord, between characters', async () => {
    const long = '😀'.repeat(5_000)
    expect(await messageOf({ content: long, title: long, message: long })).toMatchObject({
      content: `${'😀'.repeat(1_999)}…`,
      embeds: [{ title: `${'😀'.repeat(255)}…`, description: `${'😀'.repeat(4_095)}…` }],
    })
  })

  it('is not truncated at the limit', async () => {
    const title = 'é'.repeat(256)
    expect(await messageOf({ title })).toMatchObject({ embeds: [{ title }] })
  })

  it('has a content that is a template', async () => {
    const content = '{{ .GroupLabels.alertname }} @here'
    expect(await messageOf({ content })).toMatchObject({ content: 'DiskFull @here' })
  })
})

it('reads the URL from a file, again for each notification', async () => {
  const { url, requests } = await captureServer()
  const integration = configured('discord', { webhook_url_file: '/run/url' })
  let reads = 0
  const readFile = async (path: string): Promise<string> => `${url}${path}/${++reads}\n`
  const notifier = discord.create(integration, testPorts({ readFile }))
  for (let i = 0; i < 2; i++) {
    await notifier.notify(renderedNotification(), new AbortController().signal)
  }
  expect(requests.map(({ path }) => path)).toEqual(['/run/url/1', '/run/url/2'])
})

it('rejects a template that cannot be rendered, and sends nothing', async () => {
  const { url, requests } = await captureServer()
  const integration = configured('discord', { webhook_url: url, title: '{{ .No }}' })
  const notifier = discord.create(integration, testPorts())
  const notified = notifier.notify(renderedNotification(), new AbortController().signal)
  await expect(notified).rejects.toMatchObject({ reason: 'TemplateExecution' })
  expect(requests).toEqual([])
})
