import { describe, expect, it } from 'vitest'
import { createFixture, endAtOnce, webhookNamed } from '../service.fixture.ts'
import { updateWebhooksConfig } from '../update-webhooks-config.ts'
import { createSender } from './routes.fixture.ts'

const token = 'a-token/of a path'
const segment = encodeURIComponent(token)

function createService(settings: object = {}, service: object = {}) {
  const hook = { token, token_in: { path: true }, ...settings }
  const config = { webhooks: [webhookNamed('job', hook), webhookNamed('other')], ...service }
  const fixture = createFixture({ config, script: endAtOnce })
  const { routes, fallbackRoutes } = fixture.webhooks
  const sender = createSender([...routes, ...fallbackRoutes])
  const post = async (path: string, headers = {}) =>
    (await sender({ path, headers, body: {} })).status
  return { ...fixture, post }
}

describe('a token in the path', () => {
  it('stands after the path of the webhook', async () => {
    const { post } = createService({ path: '/hooks/a' })
    for (const path of [`/webhook/job/${segment}`, `/hooks/a/${segment}`, `/hooks/a/${segment}/`]) {
      expect(await post(path), path).toBe(200)
    }
    expect(await post('/webhook/job', { authorization: `Bearer ${token}` })).toBe(200)
    for (const path of [
      '/webhook/job',
      '/webhook/job/',
      '/webhook/job/x',
      '/hooks/a',
      '/hooks/a/x',
    ]) {
      expect(await post(path), path).toBe(401)
    }
    expect(await post(`/webhook/job/x/${segment}`)).toBe(404)
    expect(await post(`/webhook/other/t`)).toBe(404)
  })

  it('is below the base path, and of no use where ids are hidden', async () => {
    const { post } = createService({}, { base_path: '/base', hide_ids: true })
    expect(await post(`/base/webhook/job/${segment}`)).toBe(200)
    expect(await post(`/base/webhook/nobody/${segment}`)).toBe(401)
  })

  it('is in no log line, no record and no metric, whatever is wrong with the path', async () => {
    const { post, lines, webhooks, runner } = createService({ path: '/hooks/a' })
    for (const path of [
      `/webhook/job/${segment}`,
      `/webhook/job/${segment}/more`,
      `/webhook/job/${segment}%`,
      `/webhook/other/${segment}`,
      `/webhook/nobody/${segment}`,
      `/hooks/a/${segment}`,
      `/hooks/a/b/${segment}`,
      `/h%6Foks/a/${segment}`,
      `/hooks%2Fa/${segment}`,
    ]) {
      await post(path)
    }
    const { body } = await webhooks.metrics.expose(null)
    const record = JSON.stringify(runner.commands.map(({ command }) => command))
    for (const text of [JSON.stringify(lines), body, record]) expect(text).not.toContain('of%20a')
    expect(
      lines.filter(({ message }) => message === 'request').map(({ fields }) => fields.path),
    ).toContain('/webhook/job/***')
  })

  it.each([
    ['removed', { webhooks: [webhookNamed('other')] }],
    ['moved', { base_path: '/base', webhooks: [webhookNamed('job', { path: '/elsewhere' })] }],
  ])('stays hidden after a reload where its webhook was %s', async (_, config) => {
    const { post, lines, webhooks } = createService({ path: '/hooks/a' })
    updateWebhooksConfig(webhooks, config)
    updateWebhooksConfig(webhooks, config)
    for (const path of ['/hooks/a', '/webhook/job']) {
      expect(await post(`${path}/${segment}`)).toBe(404)
      expect(lines.at(-1)?.fields.path).toBe(`${path}/***`)
    }
    expect(JSON.stringify(lines)).not.toContain('of%20a')
  })

  it('is looked for after every id, but an id of several segments is shown', async () => {
    const config = { webhooks: [webhookNamed('a/b'), webhookNamed('c')] }
    const { webhooks, lines } = createFixture({ config, script: endAtOnce })
    const send = createSender([...webhooks.routes, ...webhooks.fallbackRoutes])
    for (const path of ['/webhook/a/b', `/webhook/c/${segment}`, '/elsewhere/x']) {
      await send({ path, body: {} })
    }
    expect(lines.flatMap(({ fields: { path } }) => path ?? [])).toEqual([
      '/webhook/a/b',
      '/webhook/c/***',
      '/elsewhere/x',
    ])
  })

  it('draws a warning', () => {
    const { lines } = createService()
    expect(JSON.stringify(lines)).toContain('a token in the path is in the logs of proxies')
  })
})
