import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { createManualClock } from '../../testing/index.ts'
import {
  createFixture,
  endAtOnce,
  type Fixture,
  settled,
  webhookNamed,
} from '../service.fixture.ts'
import { triggerWebhook } from '../trigger-webhook.ts'

const config = {
  limits: { concurrency: 1_000 },
  webhooks: [
    webhookNamed('job', { concurrency: 0, rate_limit: { runs: 10, per: '1m' } }),
    webhookNamed('other', { concurrency: 0, rate_limit: { runs: 1, per: '1m' } }),
    webhookNamed('choosy', {
      concurrency: 0,
      rate_limit: { runs: 1, per: '1h' },
      rules: { source: 'data.ref', equals: 'main' },
      command_arguments: [{ source: 'data.v' }],
      dedupe: { key: 'data.key' },
    }),
    webhookNamed('busy', { on_busy: 'reject', rate_limit: { runs: 2, per: '1h' } }),
  ],
}

/** `made`, or the reason of the error. */
const ask = ({ webhooks }: Fixture, id = 'job'): Promise<string> =>
  triggerWebhook(webhooks, id).then(
    () => 'made',
    (error) => `${error.reason} ${error.info.retryAfterSeconds}`,
  )

const count = (outcomes: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    [...new Set(outcomes)].map((outcome) => [
      outcome,
      outcomes.filter((one) => one === outcome).length,
    ]),
  )

it('admits exactly as many of 200 concurrent deliveries as the rate allows', async () => {
  const fixture = createFixture({ config, script: endAtOnce })
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => ask(fixture)))
  expect(count(outcomes)).toEqual({ made: 10, 'rate_limited 6': 190 })
  expect(fixture.runner.commands).toHaveLength(10)
  expect(await ask(fixture, 'other')).toBe('made')
  expect(await ask(fixture, 'other')).toBe('rate_limited 60')
})

it('admits one whenever its time has passed, and continues after a reload', async () => {
  const fixture = createFixture({ config, script: endAtOnce })
  const { clock, webhooks } = fixture
  for (let run = 0; run < 10; run++) expect(await ask(fixture)).toBe('made')
  clock.advance(6_000)
  expect([await ask(fixture), await ask(fixture)]).toEqual(['made', 'rate_limited 6'])
  webhooks.config.current = webhooks.readConfig(config)
  clock.advance(3_000)
  expect(await ask(fixture)).toBe('rate_limited 3')
})

it('refuses for at most one period after the clock was far ahead and is set back', async () => {
  const fixture = createFixture({ config, script: endAtOnce })
  const { clock } = fixture
  const start = clock.now()
  clock.setWallClock(start + 3_600_000)
  for (let run = 0; run < 10; run++) expect(await ask(fixture)).toBe('made')
  clock.setWallClock(start)
  expect(await ask(fixture)).toBe('rate_limited 6')
  clock.advance(6_000)
  expect(await ask(fixture)).toBe('made')
})

it('counts across all processes', async () => {
  const clock = createManualClock()
  const storage = createSqliteStorage({ filename: ':memory:', clock })
  onTestFinished(() => storage.close())
  const fixtures = [1, 2, 3].map(() => createFixture({ clock, storage, config, script: endAtOnce }))
  const outcomes = await Promise.all(
    fixtures.flatMap((fixture) => Array.from({ length: 60 }, () => ask(fixture))),
  )
  expect(count(outcomes)).toEqual({ made: 10, 'rate_limited 6': 170 })
})

it('is spent only by deliveries that make a run', async () => {
  const { webhooks } = createFixture({ config, script: endAtOnce })
  const send = (data: object): Promise<string> =>
    triggerWebhook(webhooks, 'choosy', data).then(
      (run) => run.status,
      (error) => error.reason,
    )
  for (let round = 0; round < 3; round++) {
    expect(await send({ ref: 'dev', key: 'a' })).toBe('skipped')
    expect(await send({ ref: 'main', key: 'b' })).toBe('argument_missing')
  }
  expect(await send({ ref: 'main', v: '1', key: 'c' })).toBe('succeeded')
  expect(await send({ ref: 'main', v: '1', key: 'd' })).toBe('rate_limited')
  for (let round = 0; round < 3; round++) {
    expect(await send({ ref: 'main', v: '1', key: 'c' })).toBe('succeeded')
    expect(await send({ ref: 'dev' })).toBe('skipped')
    expect(await send({ ref: 'main' })).toBe('argument_missing')
  }
})

it('is not spent by deliveries that find no place', async () => {
  const fixture = createFixture({ config })
  const { webhooks, runner } = fixture
  const send = (): Promise<string> =>
    triggerWebhook(webhooks, 'busy', {}, { wait: false }).then(
      (run) => run.status,
      (error) => error.reason,
    )
  expect(await send()).toBe('running')
  for (let round = 0; round < 3; round++) expect(await send()).toBe('queue_full')
  runner.commands[0]?.end()
  await settled()
  expect(await send()).toBe('running')
})

it('admits one of many concurrent deliveries with one key, and spends once', async () => {
  const { webhooks } = createFixture({ config, script: endAtOnce })
  const data = { ref: 'main', v: '1', key: 'same' }
  const runs = await Promise.all(
    Array.from({ length: 20 }, () => triggerWebhook(webhooks, 'choosy', data)),
  )
  expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['succeeded']))
})
