import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { createManualClock } from '../../testing/index.ts'
import { createFixture, endAtOnce, type Fixture, webhookNamed } from '../service.fixture.ts'
import { triggerWebhook } from '../trigger-webhook.ts'

const config = {
  limits: { concurrency: 1_000 },
  webhooks: [
    webhookNamed('job', { concurrency: 0, rate_limit: { runs: 10, per: '1m' } }),
    webhookNamed('other', { concurrency: 0, rate_limit: { runs: 1, per: '1m' } }),
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
