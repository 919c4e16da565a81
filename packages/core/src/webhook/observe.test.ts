import { describe, expect, it } from 'vitest'
import { deliverWebhook } from './delivery/deliver-webhook.ts'
import type { WebhookEventName } from './events.ts'
import { createSender } from './http/routes.fixture.ts'
import { sampleDelivery } from './request/delivery.fixture.ts'
import { runWebhook } from './run-webhook.ts'
import {
  createFixture,
  endAtOnce,
  type Fixture,
  settled,
  until,
  webhookNamed,
} from './service.fixture.ts'
import { triggerWebhook } from './trigger-webhook.ts'
import { updateWebhooksConfig } from './update-webhooks-config.ts'

const names: readonly WebhookEventName[] = [
  'run.queued',
  'run.started',
  'run.output',
  'run.finished',
  'request.rejected',
  'config.reloaded',
  'config.rejected',
]

/** Records the events of a service as names and values. */
function record({ webhooks }: Fixture): (readonly [WebhookEventName, object])[] {
  const seen: (readonly [WebhookEventName, object])[] = []
  for (const name of names) webhooks.events.on(name, (event) => seen.push([name, event]))
  return seen
}

describe('events', () => {
  it('report the life of a run', async () => {
    const fixture = createFixture()
    const seen = record(fixture)
    const { webhooks, runner } = fixture
    const both = [triggerWebhook(webhooks, 'job'), triggerWebhook(webhooks, 'job')]
    await until(() => seen.length === 2)
    await runner.commands[0]?.write('stdout', 'hi')
    runner.commands[0]?.end()
    await settled()
    runner.commands[1]?.end(1)
    const [first, second] = await Promise.all(both)
    const [one, two] = [first, second].map((run) => run && 'id' in run && run.id)
    const chunk = new TextEncoder().encode('hi')
    expect(seen).toMatchObject([
      ['run.queued', { id: two, webhook_id: 'job', status: 'queued' }],
      ['run.started', { id: one, status: 'running', started_at: expect.any(Number) }],
      ['run.output', { run_id: one, webhook_id: 'job', stream: 'stdout', chunk }],
      ['run.started', { id: two }],
      ['run.finished', { id: one, status: 'succeeded' }],
      ['run.finished', { id: two, status: 'failed' }],
    ])
    expect(seen).toHaveLength(6)
  })

  it('report refused requests and configurations', async () => {
    const fixture = createFixture()
    const seen = record(fixture)
    const { webhooks } = fixture
    const sent = { ...sampleDelivery(), id: 'job', token: 'wrong', trust: 'unchecked' as const }
    await expect(deliverWebhook(webhooks, sent)).rejects.toThrow()
    await expect(triggerWebhook(webhooks, 'nobody')).rejects.toThrow()
    updateWebhooksConfig(webhooks, { webhooks: [] })
    // @ts-expect-error: the key is `webhooks`.
    expect(() => updateWebhooksConfig(webhooks, { webhook: [] })).toThrow()
    expect(seen).toEqual([
      [
        'request.rejected',
        { webhook_id: 'job', request_id: 'r1', client_ip: '192.0.2.7', code: 'invalid_token' },
      ],
      [
        'request.rejected',
        expect.objectContaining({ webhook_id: 'nobody', code: 'unknown_webhook' }),
      ],
      ['config.reloaded', { webhooks: 0 }],
      ['config.rejected', { error: expect.objectContaining({ reason: 'InvalidConfig' }) }],
    ])
  })

  it('report each refused request once, with the webhook that it named', async () => {
    const fixture = createFixture()
    const seen = record(fixture)
    const send = createSender(fixture.webhooks.routes)
    const statuses: number[] = []
    for (const id of ['job', 'nobody']) {
      const asked = [
        { path: '/webhook', body: { id, token: 'wrong' } },
        { path: `/webhook/${id}`, body: {}, headers: { 'x-webhook-token': 'wrong' } },
      ]
      for (const sent of asked) statuses.push((await send(sent)).status)
    }
    expect(statuses).toEqual([401, 401, 404, 404])
    const rejected = (id: string, code: string): object => [
      'request.rejected',
      { webhook_id: id, code, client_ip: '192.0.2.1', request_id: expect.any(String) },
    ]
    const ofJob = rejected('job', 'invalid_token')
    const ofNobody = rejected('nobody', 'unknown_webhook')
    expect(seen).toEqual([ofJob, ofJob, ofNobody, ofNobody])
  })

  it('reach the other listeners when one throws or rejects', async () => {
    const fixture = createFixture({ script: endAtOnce })
    const { webhooks, lines } = fixture
    const seen: string[] = []
    for (const name of names) {
      webhooks.events.on(name, () => {
        throw new Error('a listener threw')
      })
      webhooks.events.on(name, () => Promise.reject(new Error('a listener rejected')))
      webhooks.events.on(name, () => seen.push(name))
    }
    expect(await triggerWebhook(webhooks, 'job')).toMatchObject({ status: 'succeeded' })
    await expect(triggerWebhook(webhooks, 'nobody')).rejects.toMatchObject({
      reason: 'unknown_webhook',
    })
    updateWebhooksConfig(webhooks, { webhooks: [] })
    await settled()
    expect(seen).toEqual(['run.started', 'run.finished', 'request.rejected', 'config.reloaded'])
    const failures = lines.filter(({ message }) => message === 'a listener failed')
    expect(failures).toHaveLength(8)
  })

  it('no longer reach a removed listener', async () => {
    const { webhooks } = createFixture({ script: endAtOnce })
    const seen: string[] = []
    const listener = (): unknown => seen.push('off')
    webhooks.events.on('run.finished', listener)
    const stop = webhooks.events.on('run.finished', () => seen.push('stop'))
    webhooks.events.off('run.finished', listener)
    stop()
    await triggerWebhook(webhooks, 'job')
    expect(seen).toEqual([])
  })
})

describe('the log', () => {
  it('has a line about the end of a run', async () => {
    const { webhooks, lines } = createFixture({ script: (command) => command.end(3) })
    await triggerWebhook(webhooks, 'job')
    expect(lines.filter(({ message }) => message === 'run ended')).toEqual([
      {
        level: 'info',
        message: 'run ended',
        fields: {
          run_id: expect.any(String),
          request_id: expect.any(String),
          webhook: 'job',
          client: null,
          state: 'failed',
          reason: 'exit_code',
          exit_code: 3,
          signal: null,
          attempts: 1,
          duration_ms: 0,
          queued_ms: 0,
        },
      },
    ])
  })

  it('has no secrets, and has argument values only at level debug', async () => {
    const { webhooks, lines, runner } = createFixture({
      config: {
        webhooks: [
          webhookNamed('job', {
            token: 'the-token-itself',
            env: { PASSWORD: 'the-password' },
            signature: { scheme: 'gitlab-token', secret: 'the-signature' },
            auth: 'token',
            command_arguments: [{ source: 'data.v' }],
          }),
        ],
      },
      script: endAtOnce,
    })
    await runWebhook(webhooks, { id: 'job', token: 'the-token-itself', data: { v: 'the\nvalue' } })
    await expect(runWebhook(webhooks, { id: 'job', token: 'a-wrong-token' })).rejects.toThrow()
    expect(runner.commands).toHaveLength(1)
    const text = JSON.stringify(lines)
    for (const secret of ['the-token-itself', 'the-password', 'the-signature', 'a-wrong-token']) {
      expect(text).not.toContain(secret)
    }
    const detailed = lines.filter(({ fields }) => JSON.stringify(fields).includes('value'))
    expect(detailed).toMatchObject([
      { level: 'debug', fields: { argv: [expect.any(String), 'the\\x0avalue'] } },
    ])
  })

  it('has the output lines of a command if configured', async () => {
    const { webhooks, lines } = createFixture({
      config: { log: { run_output: true }, webhooks: [webhookNamed('job')] },
      async script(command) {
        await command.write('stdout', 'one\ntw')
        await command.write('stderr', '\u001b[31mred\n')
        await command.write('stdout', 'o')
        command.end()
      },
    })
    const run = await triggerWebhook(webhooks, 'job')
    const run_id = 'id' in run ? run.id : ''
    const output = lines.filter(({ message }) => message === 'output')
    expect(output.map(({ fields }) => fields)).toEqual([
      { run_id, webhook: 'job', stream: 'stdout', line: 'one' },
      { run_id, webhook: 'job', stream: 'stderr', line: '\\x1b[31mred' },
      { run_id, webhook: 'job', stream: 'stdout', line: 'two' },
    ])
  })
})

describe('metrics', () => {
  const shown = async ({ webhooks }: Fixture): Promise<readonly string[]> => {
    const { body } = await webhooks.metrics.expose(null)
    return body.split('\n').filter((line) => line.startsWith('gatehouse_webhook'))
  }

  it('count finished runs, and show those in progress', async () => {
    const fixture = createFixture({
      config: { webhooks: ['job', 'idle'].map((id) => webhookNamed(id)) },
    })
    const { webhooks, runner, clock } = fixture
    for (let run = 0; run < 3; run++) await triggerWebhook(webhooks, 'job', {}, { wait: false })
    clock.advance(300)
    runner.commands[0]?.end()
    await settled()
    const lines = await shown(fixture)
    for (const line of [
      'gatehouse_webhook_runs_active{id="job"} 1',
      'gatehouse_webhook_runs_waiting{id="job"} 1',
      'gatehouse_webhook_runs_active{id="idle"} 0',
      'gatehouse_webhook_runs_total{id="job",status="succeeded"} 1',
      'gatehouse_webhook_run_seconds_count{id="job"} 1',
      'gatehouse_webhook_run_seconds_sum{id="job"} 0.3',
    ]) {
      expect(lines).toContain(line)
    }
  })

  it('count refusals by code, and ignore values from clients', async () => {
    const fixture = createFixture()
    for (let index = 0; index < 5; index++) {
      await expect(triggerWebhook(fixture.webhooks, `made up ${index}`)).rejects.toThrow()
    }
    const lines = await shown(fixture)
    expect(lines).toContain('gatehouse_webhook_rejected_total{code="unknown_webhook"} 5')
    expect(lines.join()).not.toContain('made up')
  })

  it('show whether the last configuration was accepted', async () => {
    const { webhooks } = createFixture()
    const value = async (): Promise<string | undefined> => {
      const { body } = await webhooks.metrics.expose(null)
      return /^gatehouse_config_last_reload_successful (\d)$/m.exec(body)?.[1]
    }
    expect(await value()).toBe('1')
    expect(() => updateWebhooksConfig(webhooks, 'webhooks: 7')).toThrow()
    expect(await value()).toBe('0')
    updateWebhooksConfig(webhooks, 'webhooks: []')
    expect(await value()).toBe('1')
  })
})
