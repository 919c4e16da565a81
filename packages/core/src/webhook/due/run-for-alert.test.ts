import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import { createAlerts } from '../../alerts/create-alerts.ts'
import { createManualClock } from '../../testing/index.ts'
import { getRun } from '../get-run.ts'
import { listRuns } from '../list-runs.ts'
import type { RunCause } from '../run.ts'
import { createFixture, type Fixture, settled, webhookNamed } from '../service.fixture.ts'
import { alertRunProblem, createWebhookRuns, runForAlert } from './run-for-alert.ts'

const onAlert = (settings: object = {}): object =>
  webhookNamed('clean', { on_alert: true, ...settings })

/** Services over one storage, with a webhook that receivers of alerts may run. */
function services(
  count: number,
  settings: object = {},
  exit = 0,
): readonly [Fixture, ...Fixture[]] {
  const clock = createManualClock()
  const storage = createMemoryStorage({ clock })
  const config = { webhooks: [onAlert(settings) as never] }
  const create = (): Fixture =>
    createFixture({ clock, storage, config, script: (command) => command.end(exit) })
  return [create(), ...Array.from({ length: count - 1 }, create)]
}

const alert = (key = 'k'): Parameters<typeof runForAlert>[1] => ({
  webhook: 'clean',
  data: { status: 'firing', commonLabels: { instance: 'h0; id' } },
  receiver: 'team',
  group_hash: 'abc',
  key,
})

describe('a run for an alert', () => {
  it('is recorded with its cause, and its arguments are values of the group', async () => {
    const [{ webhooks, runner }] = services(1, {
      command_arguments: [{ name: '--instance', source: 'data.commonLabels.instance' }],
    })
    const id = await runForAlert(webhooks, alert())
    await settled()
    const cause: RunCause = { type: 'alert', receiver: 'team', group_hash: 'abc' }
    expect(await getRun(webhooks, id ?? '')).toMatchObject({ status: 'succeeded', cause })
    expect(runner.commands[0]?.command.args).toEqual(['--instance', 'h0; id'])
  })

  it.each([0, 1])('is made once by all processes, with exit code %i too', async (exit) => {
    const all = services(3, {}, exit)
    const ids = await Promise.all(all.map(({ webhooks }) => runForAlert(webhooks, alert())))
    await settled()
    expect(new Set(ids).size).toBe(1)
    expect(await runForAlert(all[0].webhooks, alert())).toBe(ids[0])
    expect((await listRuns(all[0].webhooks)).runs).toHaveLength(1)
    expect(await runForAlert(all[0].webhooks, alert('next'))).not.toBe(ids[0])
  })

  it('is not made if the rules want none', async () => {
    const [{ webhooks }] = services(1, { rules: { source: 'data.status', equals: 'resolved' } })
    expect(await runForAlert(webhooks, alert())).toBeUndefined()
    expect((await listRuns(webhooks)).runs).toEqual([])
  })

  it('needs a webhook that allows it, no more data than a request, and a value for each argument', async () => {
    const [{ webhooks }] = services(1, {
      max_body_bytes: 100,
      command_arguments: [{ name: '', source: 'data.missing' }],
    })
    const reasonOf = (given: object) => runForAlert(webhooks, { ...alert(), ...given })
    await expect(reasonOf({ webhook: 'none' })).rejects.toMatchObject({ reason: 'unknown_webhook' })
    await expect(reasonOf({ data: { long: 'x'.repeat(100) } })).rejects.toMatchObject({
      reason: 'body_too_large',
      message: expect.stringContaining('max_alerts'),
    })
    await expect(reasonOf({})).rejects.toMatchObject({ reason: 'argument_missing' })
    const [closed] = services(1, { on_alert: false })
    await expect(runForAlert(closed.webhooks, alert())).rejects.toMatchObject({
      message: 'the webhook must have on_alert: true',
    })
    expect(alertRunProblem(webhooks.config.current, 'none')).toBe('no webhook has this id')
  })

  it('needs no token of its webhook', () => {
    const { webhooks } = createFixture({
      config: { webhooks: [{ id: 'a', execute_command: 'true', workdir: '/', on_alert: true }] },
    })
    expect(alertRunProblem(webhooks.config.current, 'a')).toBeUndefined()
  })
})

describe('the receivers of an alert service', () => {
  const config = (webhook: string): string =>
    `route: { receiver: team }\nreceivers: [{ name: team, webhook_run_configs: [{ webhook: ${webhook} }] }]`

  it('are refused if their webhook does not exist, or if there are no webhooks', () => {
    const [{ webhooks, storage }] = services(1)
    const webhookRuns = createWebhookRuns(webhooks)
    const create = (webhook: string, more: object = { webhookRuns }) =>
      createAlerts({ storage, logger: false, config: config(webhook), ...more })
    expect(create('clean').config.current.receivers).toHaveLength(1)
    expect(() => create('typo')).toThrow(
      'webhook "typo" of receiver "team": no webhook has this id',
    )
    expect(() => create('clean', {})).toThrow('this server has no webhooks')
  })
})
