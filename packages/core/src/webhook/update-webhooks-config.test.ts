import { expect, it } from 'vitest'
import { readWebhooksConfig } from './config/config.ts'
import { createFixture, webhookNamed } from './service.fixture.ts'
import { triggerWebhook } from './trigger-webhook.ts'
import { reloadWebhooksConfig, updateWebhooksConfig } from './update-webhooks-config.ts'

it('an invalid configuration changes nothing, and all its problems are logged', async () => {
  const fixture = createFixture()
  const { webhooks, lines } = fixture
  const before = webhooks.config.current
  const wrong = { text: 'webhooks:\n- id: a\n  tokken: t\n', filename: 'hooks.yaml' }
  expect(() => updateWebhooksConfig(webhooks, wrong)).toThrow(
    expect.objectContaining({ reason: 'InvalidConfig' }),
  )
  expect(webhooks.config.current).toBe(before)
  const refusals = lines.filter(({ message }) => message === 'configuration refused')
  expect(refusals.map(({ fields }) => fields.problem)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^hooks\.yaml:3:3 webhooks\[0\]\.tokken: /)]),
  )
  expect(refusals.length).toBeGreaterThan(1)
  await expect(triggerWebhook(webhooks, 'nobody')).rejects.toThrow()
})

it('a configuration that was read already is used as it is', () => {
  const { webhooks } = createFixture()
  const ports = { environment: {}, workdir: '/' }
  const config = readWebhooksConfig({ webhooks: [webhookNamed('other')] }, ports)
  updateWebhooksConfig(webhooks, () => config)
  expect(webhooks.config.current).toBe(config)
})

it('a reload uses the option reload', async () => {
  let next: () => Promise<string> = async () => 'webhooks: []'
  const { webhooks, lines } = createFixture({ reload: () => next() })
  const rejected: unknown[] = []
  webhooks.events.on('config.rejected', ({ error }) => void rejected.push(error))
  await reloadWebhooksConfig(webhooks)
  expect(webhooks.config.current.webhooks).toEqual([])
  next = () => Promise.reject(new Error('the file is gone'))
  await expect(reloadWebhooksConfig(webhooks)).rejects.toThrow('the file is gone')
  expect(rejected).toEqual([new Error('the file is gone')])
  expect(lines.filter(({ level }) => level === 'error')).toEqual([])
})

it('a reload without the option changes nothing', async () => {
  const { webhooks } = createFixture()
  const before = webhooks.config.current
  await reloadWebhooksConfig(webhooks)
  expect(webhooks.config.current).toBe(before)
})

it('warnings of a configuration are logged when it is loaded', () => {
  const { lines } = createFixture({ config: 'webhooks: []' })
  expect(lines).toEqual([
    { level: 'warn', message: expect.stringContaining('webhooks'), fields: {} },
  ])
})
