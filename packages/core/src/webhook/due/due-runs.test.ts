import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createManualClock, type ManualClock } from '../../testing/index.ts'
import type { Run } from '../run.ts'
import {
  createFixture,
  endAtOnce,
  type Fixture,
  settled,
  webhookNamed,
} from '../service.fixture.ts'
import { startWebhooks } from '../start-webhooks.ts'
import { triggerWebhook } from '../trigger-webhook.ts'
import { updateWebhooksConfig } from '../update-webhooks-config.ts'

/** Services that share a storage and a clock, and are started. */
function cluster(
  webhooks: readonly object[],
  { count = 1, at = '2026-03-02T10:00:00Z', exit = 0 } = {},
): {
  readonly services: readonly Fixture[]
  readonly clock: ManualClock
  readonly runs: readonly Run[]
} {
  const clock = createManualClock(Date.parse(at))
  const storage = createMemoryStorage({ clock })
  const config = {
    webhooks: webhooks.map(({ id, ...more }: { id?: string }) => webhookNamed(id ?? '', more)),
  }
  const runs: Run[] = []
  const services = Array.from({ length: count }, () => {
    const fixture = createFixture({
      clock,
      storage,
      config,
      script: exit === 0 ? endAtOnce : (command) => command.end(exit),
    })
    fixture.webhooks.events.on('run.finished', (run) => runs.push(run))
    const running = startWebhooks(fixture.webhooks, { warnings: false, graceMs: 0 })
    onTestFinished(() => running.stop())
    return fixture
  })
  return { services, clock, runs }
}

async function pass(clock: ManualClock, seconds: number, step = 1): Promise<void> {
  for (let passed = 0; passed < seconds; passed += step) {
    clock.advance(step * 1_000)
    await settled()
  }
}

const times = (runs: readonly Run[]): readonly string[] =>
  runs.map(({ cause }) => (cause?.type === 'schedule' ? new Date(cause.at).toISOString() : 'other'))

describe('schedules', () => {
  it('run once at each time, whatever the number of processes', async () => {
    const world = cluster([{ id: 'tick', schedule: { cron: '*/5 * * * *' } }], { count: 3 })
    await settled()
    await pass(world.clock, 16 * 60)
    const { runs } = world
    expect(times(runs)).toEqual([
      '2026-03-02T10:05:00.000Z',
      '2026-03-02T10:10:00.000Z',
      '2026-03-02T10:15:00.000Z',
    ])
    expect(runs.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded'])
  })

  it('give the command their data and their time', async () => {
    const data = { branch: 'main', keep: { days: 7, all: false } }
    const world = cluster([
      {
        id: 'tick',
        schedule: { cron: '*/5 * * * *', data },
        stdin: 'data',
        command_arguments: [{ name: '--days', source: 'data.keep.days' }],
      },
    ])
    await settled()
    await pass(world.clock, 301)
    const command = world.services[0]?.runner.commands[0]?.command
    expect(command?.args).toEqual(['--days', '7'])
    expect(JSON.parse(Buffer.from(command?.stdin ?? []).toString())).toEqual({
      ...data,
      schedule: { at: '2026-03-02T10:05:00.000Z' },
    })
  })

  it('make up once for all times that were missed', async () => {
    const world = cluster([{ id: 'tick', schedule: { cron: '0 * * * *' } }])
    await settled()
    await pass(world.clock, 2)
    world.clock.advance(5 * 3_600_000)
    await settled()
    await pass(world.clock, 120)
    expect(times(world.runs)).toEqual(['2026-03-02T11:00:00.000Z'])
    await pass(world.clock, 3_600, 60)
    expect(times(world.runs)).toEqual(['2026-03-02T11:00:00.000Z', '2026-03-02T16:00:00.000Z'])
  })

  it('follow a time zone: no time is skipped in spring, none comes twice in autumn', async () => {
    const daily = { id: 'night', schedule: { cron: '30 2 * * *', time_zone: 'Europe/Berlin' } }
    const spring = cluster([daily], { at: '2026-03-28T12:00:00Z' })
    await settled()
    await pass(spring.clock, 40 * 3_600, 600)
    expect(times(spring.runs)).toEqual(['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z'])
    const autumn = cluster([daily], { at: '2026-10-24T12:00:00Z' })
    await settled()
    await pass(autumn.clock, 40 * 3_600, 600)
    expect(times(autumn.runs)).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'])
  })

  it('change with the configuration, and end with it', async () => {
    const world = cluster([{ id: 'tick', schedule: { cron: '0 12 * * *' } }])
    await settled()
    await pass(world.clock, 2)
    const [{ webhooks } = { webhooks: undefined }] = world.services
    if (webhooks === undefined) throw new Error('no service')
    const sooner = webhookNamed('tick', { schedule: { cron: '2 10 * * *' } })
    await updateWebhooksConfig(webhooks, { webhooks: [sooner] })
    await pass(world.clock, 180)
    expect(times(world.runs)).toEqual(['2026-03-02T10:02:00.000Z'])
    await updateWebhooksConfig(webhooks, { webhooks: [webhookNamed('tick')] })
    await pass(world.clock, 2 * 86_400, 3_600)
    expect(world.runs).toHaveLength(1)
  })

  it('wait for a place as long as the queue is full', async () => {
    const clock = createManualClock(Date.parse('2026-03-02T10:00:00Z'))
    const tick = webhookNamed('tick', {
      schedule: { cron: '1 10 * * *' },
      queue: 0,
      timeout: 'none',
    })
    const fixture = createFixture({ clock, config: { webhooks: [tick] } })
    const running = startWebhooks(fixture.webhooks, { warnings: false, graceMs: 0 })
    onTestFinished(() => running.stop())
    void triggerWebhook(fixture.webhooks, 'tick', null, { wait: true })
    const first = await fixture.runner.started(1)
    await pass(clock, 90)
    expect(fixture.runner.commands).toHaveLength(1)
    first.end()
    await settled()
    await pass(clock, 15)
    expect(fixture.runner.commands).toHaveLength(2)
  })
})

describe('runs after a run', () => {
  const chain = [
    { id: 'build' },
    { id: 'deploy', after: { webhook: 'build' } },
    { id: 'tell', after: { webhook: 'build', on: 'failure' } },
    { id: 'clean', after: { webhook: 'build', on: 'always' } },
    { id: 'check', after: { webhook: 'deploy' } },
  ]
  const idsOf = (runs: readonly Run[]): readonly string[] =>
    runs.map(({ webhook_id: id }) => id).sort()

  it('follow a success, each once, and name the run before', async () => {
    const world = cluster(chain, { count: 3 })
    const [one] = world.services
    if (one === undefined) throw new Error('no service')
    const build = await triggerWebhook(one.webhooks, 'build', null, { wait: true })
    await settled()
    await pass(world.clock, 5)
    const { runs } = world
    expect(idsOf(runs)).toEqual(['build', 'check', 'clean', 'deploy'])
    const causeOf = (id: string) => runs.find((run) => run.webhook_id === id)?.cause
    const run_id = 'id' in build ? build.id : ''
    expect(causeOf('build')).toBeUndefined()
    expect(causeOf('deploy')).toEqual({ type: 'run', run_id, depth: 1 })
    expect(causeOf('check')).toMatchObject({ type: 'run', depth: 2 })
  })

  it('follow a failure', async () => {
    const world = cluster(chain, { exit: 1 })
    const [one] = world.services
    if (one === undefined) throw new Error('no service')
    await triggerWebhook(one.webhooks, 'build', null, { wait: true })
    await settled()
    await pass(world.clock, 5)
    expect(idsOf(world.runs)).toEqual(['build', 'clean', 'tell'])
  })

  it('give the command the facts of the run before, as data', async () => {
    const world = cluster([
      { id: 'build' },
      {
        id: 'tell',
        after: { webhook: 'build', on: 'always' },
        command_arguments: [{ name: '', source: 'data.run.status' }],
      },
    ])
    const [one] = world.services
    if (one === undefined) throw new Error('no service')
    await triggerWebhook(one.webhooks, 'build', null, { wait: true })
    await settled()
    await pass(world.clock, 3)
    expect(one.runner.commands[1]?.command.args).toEqual(['succeeded'])
  })
})
