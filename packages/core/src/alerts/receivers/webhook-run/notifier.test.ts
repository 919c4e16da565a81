import { describe, expect, it } from 'vitest'
import { GatehouseError } from '../../../errors.ts'
import { loadAlertsConfig } from '../../config/config.ts'
import { webhookPayload } from '../../notification/webhook-payload.ts'
import { configured } from '../configured.fixture.ts'
import { renderedNotification, testPorts } from '../delivery.fixture.ts'
import { notifierOf } from '../integrations.ts'
import type { SampleOptions } from '../notifier.fixture.ts'
import type { AlertRunRequest, NotifyResult, WebhookRuns } from '../notifier.ts'

type Run = WebhookRuns['run']

/** Notifies once, with these runs. */
async function notify(
  run: Run,
  { settings = {}, signal = new AbortController().signal, ...notification }: Given = {},
): Promise<NotifyResult> {
  const integration = configured('webhook_run', { webhook: 'clean', ...settings })
  const webhookRuns = { problemOf: () => undefined, run }
  const notifier = notifierOf(integration, testPorts({ webhookRuns }))
  return notifier.notify(renderedNotification(notification), signal)
}

interface Given extends SampleOptions {
  settings?: object
  signal?: AbortSignal
}

/** The request for a run that a notification leads to. */
async function requestOf(given: Given = {}): Promise<AlertRunRequest> {
  const requests: AlertRunRequest[] = []
  await notify(async (request) => {
    requests.push(request)
    return 'run_1'
  }, given)
  const [request] = requests
  if (request === undefined) throw new Error('nothing was run')
  return request
}

describe('a run', () => {
  it('gets the group as webhook receivers do, and names its receiver and its group', async () => {
    const notification = renderedNotification()
    const payload = webhookPayload(notification, { version: '4', truncatedAlerts: 0 })
    expect(await requestOf()).toEqual({
      webhook: 'clean',
      data: JSON.parse(payload),
      receiver: 'all',
      group_hash: notification.groupHash,
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  it('gets the most urgent alerts only, with max_alerts', async () => {
    const { data } = await requestOf({ settings: { max_alerts: 1 } })
    expect(data).toMatchObject({ truncatedAlerts: 1, alerts: [expect.anything()] })
  })

  it('has the same key if another process repeats the notification, and else another one', async () => {
    const first = await requestOf()
    expect((await requestOf()).key).toBe(first.key)
    const others = [
      await requestOf({ kept: { run_id: 'run_1' } }),
      await requestOf({ resolved: true }),
      await requestOf({ receiver: 'other' }),
    ]
    expect(new Set([first, ...others].map(({ key }) => key)).size).toBe(4)
  })

  it('is kept for the next notification; there may be none', async () => {
    expect(await notify(async () => 'run_1')).toEqual({
      outcome: 'sent',
      keep: { run_id: 'run_1' },
    })
    expect(await notify(async () => undefined)).toEqual({ outcome: 'sent' })
  })
})

describe('a failure', () => {
  const refusing =
    (
      ...[kind, reason, message, info]: [...ConstructorParameters<typeof GatehouseError>, object?]
    ): Run =>
    async () => {
      throw new GatehouseError(kind, reason, message, { info: { ...info } })
    }

  it('that passes is worth another attempt', async () => {
    const full = refusing('TooManyRequest', 'queue_full', 'full', { retryAfterSeconds: 4 } as never)
    expect(await notify(full)).toMatchObject({
      outcome: 'retry',
      reason: 'rateLimited',
      detail: 'full',
    })
    expect(await notify(refusing('ServiceUnavailable', 'overloaded', 'no storage'))).toEqual({
      outcome: 'retry',
      reason: 'serverError',
      detail: 'no storage',
      mayHaveArrived: true,
    })
  })

  it('that stays is final', async () => {
    expect(await notify(refusing('Invalid', 'argument_missing', 'no instance'))).toEqual({
      outcome: 'failed',
      reason: 'clientError',
      detail: 'no instance',
    })
  })

  it('of a storage that does not answer ends with the attempt', async () => {
    const ending = new AbortController()
    const result = notify(() => new Promise(() => {}), { signal: ending.signal })
    ending.abort()
    expect(await result).toMatchObject({ outcome: 'retry', reason: 'contextCanceled' })
  })

  it('without webhooks is final', async () => {
    const notifier = notifierOf(configured('webhook_run', { webhook: 'clean' }), testPorts())
    const { signal } = new AbortController()
    expect(await notifier.notify(renderedNotification(), signal)).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('webhookRuns'),
    })
  })
})

describe('the configuration', () => {
  const text = (config: string): string =>
    `route: { receiver: team }\nreceivers:\n  - name: team\n    webhook_run_configs:\n      - ${config}\n`

  it('names a webhook', () => {
    expect(() => loadAlertsConfig(text('{ send_resolved: true }'))).toThrow(
      'missing webhook in webhook_run config',
    )
  })

  it('is refused at its place if the webhook may not be run', () => {
    const webhookProblem = (id: string) => (id === 'known' ? undefined : 'no webhook has this id')
    expect(loadAlertsConfig(text('{ webhook: known }'), { webhookProblem }).receivers).toHaveLength(
      1,
    )
    const load = () => loadAlertsConfig(text('{ webhook: typo }'), { webhookProblem })
    expect(load).toThrow('webhook "typo" of receiver "team": no webhook has this id')
    expect(load).toThrow(
      expect.objectContaining({ info: { problems: [expect.objectContaining({ line: 5 })] } }),
    )
    const part = text('{ webhook: typo }').replaceAll('team', 'storage')
    const main = 'route: { receiver: a }\nreceivers: [{ name: a }]'
    const parts = [{ text: part, filename: 'teams/storage.yml' }]
    expect(() => loadAlertsConfig(main, { parts, webhookProblem })).toThrow(
      'teams/storage.yml:5: webhook "typo" of receiver "storage": no webhook has this id',
    )
  })
})
