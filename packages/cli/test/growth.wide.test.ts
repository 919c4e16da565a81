import {
  type AlertsContext,
  collectGarbage,
  createAlerts,
  createSilence,
  listAlertGroups,
  listAlerts,
  listSilences,
  postAlerts,
} from '@gatehouse/core/alerts'
import { createManualClock, type ManualClock } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { expect, it } from 'vitest'
import { createRandom } from '../../../test-support/random.ts'
import { reachableBytes } from '../../../test-support/reachable-bytes.ts'
import { Database } from '../../../test-support/sqlite.ts'

const config = `
route:
  receiver: nobody
  group_by: [alertname, host]
  routes:
  - receiver: nobody
    matchers: [ 'kind=~"a|b"' ]
inhibit_rules:
- source_matchers: [ 'severity="critical"' ]
  target_matchers: [ 'severity="warning"' ]
  equal: [host]
receivers: [ { name: nobody } ]
`

const minute = 60_000
const stepMs = 30 * minute
const alertsPerStep = 200
const silencesPerStep = 40
const silenceLifeMs = 60 * minute
const retentionMs = 180 * minute

/** The ids and commits that the store keeps of a change feed's past. */
const feedPast = 100_000
/** Enough steps for the alerts' feed to reach its bound, on disk and in memory, before half of them. */
const steps = 400

/**
 * One step: new alerts, the alerts of the last step again, as many resolved by time; new silences with new patterns; every list
 * read with new filters.
 */
async function turnOver(alerts: AlertsContext, clock: ManualClock, step: number): Promise<void> {
  const now = clock.now()
  const batchOf = (batch: number) =>
    Array.from({ length: alertsPerStep }, (_, i) => ({
      labels: {
        alertname: `Alert${i % 20}`,
        host: `host-${batch}-${i % 50}`,
        id: `${batch}-${i}`,
        kind: 'abcd'.charAt(i % 4),
        severity: i % 10 === 0 ? 'critical' : 'warning',
        [`label_${batch}_${i % 5}`]: 'x',
      },
      annotations: { summary: `The ${i}th of step ${batch}` },
      startsAt: now,
      endsAt: now + 2 * stepMs,
    }))
  await postAlerts(alerts, batchOf(step))
  if (step > 0) await postAlerts(alerts, batchOf(step - 1))
  for (let i = 0; i < silencesPerStep; i++) {
    await createSilence(alerts, {
      matchers: [
        { name: 'host', value: `host-${step}-${i}`, isRegex: false },
        i % 4 === 0
          ? { name: 'id', value: `${step}-(${i}|x+)`, isRegex: true }
          : { name: 'id', value: `${step}-${i}`, isRegex: false },
      ],
      startsAt: now,
      endsAt: now + silenceLifeMs,
      createdBy: 'test',
      comment: `step ${step}`,
    })
  }
  const filter = [`host=~"host-${step}-.+"`, `id!="${step}-0"`]
  expect(await listAlerts(alerts, { filter })).toHaveLength(alertsPerStep - 1)
  expect(await listAlertGroups(alerts, { filter })).not.toEqual([])
  expect(await listSilences(alerts, { filter: [`host="host-${step}-0"`] })).toHaveLength(1)
  clock.advance(stepMs)
  await collectGarbage(alerts)
}

/** Rows of every table. For a feed, the ids and commits that its rows stand for. */
function countRows(database: Database): Record<string, number> {
  const tables = database.values("SELECT name FROM sqlite_master WHERE type = 'table'")
  const counts: Record<string, number> = {}
  for (const name of tables.map(String)) {
    const count = name.endsWith('.feed') ? 'max(weight) - min(weight)' : 'count(*)'
    counts[name] = Number(database.value(`SELECT ${count} FROM "${name}"`))
  }
  return counts
}

/** The maximum of each count in some steps. */
function peaks(samples: readonly Record<string, number>[]): Record<string, number> {
  const most: Record<string, number> = {}
  for (const sample of samples) {
    for (const [name, count] of Object.entries(sample)) {
      most[name] = Math.max(most[name] ?? 0, count)
    }
  }
  return most
}

/** Evicts all but a few fixed entries from the process-wide cache of compiled expressions. */
type ForgetExpressions = () => Promise<void>

async function createForgetting(): Promise<ForgetExpressions> {
  const alerts = createAlerts({ storage: createMemoryStorage(), config })
  const random = createRandom(1)
  const word = Array.from({ length: 20_000 }, () => random.pick(['a', 'b'])).join('')
  await postAlerts(alerts, [{ labels: { alertname: 'Word', word } }])
  // The automaton of each takes 8 MiB, the maximum; the cache holds 64 MiB.
  const filter = Array.from({ length: 10 }, (_, i) => `word=~"[ab]*a[ab]{${12 + i}}"`)
  return async () => {
    for (const one of filter) await listAlerts(alerts, { filter: [one] })
  }
}

it('holds no more after 80,000 alerts and 16,000 silences came and went than after half of them', {
  timeout: 400_000,
}, async () => {
  const clock = createManualClock()
  const database = new Database(':memory:')
  const storage = createSqliteStorage({ filename: ':memory:', database, clock })
  const alerts = createAlerts({ storage, config, clock, retentionMs })
  const forgetExpressions = await createForgetting()
  await forgetExpressions()
  const samples: Record<string, number>[] = []
  const bytes: number[] = []
  for (let step = 0; step < steps; step++) {
    await turnOver(alerts, clock, step)
    if (step % 4 === 0) samples.push(countRows(database))
    if (step < steps / 4 || step % 25 !== 0) continue
    await forgetExpressions()
    bytes.push(reachableBytes())
  }

  const first = peaks(samples.slice(0, samples.length / 2))
  const second = peaks(samples.slice(samples.length / 2))
  for (const [name, count] of Object.entries(second)) {
    // A feed keeps its past up to a bound, which only the alerts' feed reaches in these steps.
    const most = name.endsWith('.feed') ? feedPast : (first[name] ?? 0)
    expect(count, name).toBeLessThanOrEqual(most * 1.05)
  }
  expect(second['gatehouse_alerts.feed']).toBeGreaterThan(feedPast * 0.9)
  const stored = Object.entries(second).filter(([name]) => /_(alerts|silences)$/.test(name))
  expect(stored).toHaveLength(2)
  const silencesKept = (silencesPerStep * (silenceLifeMs + retentionMs)) / stepMs
  for (const [, count] of stored) {
    expect(count).toBeLessThanOrEqual(Math.max(3 * alertsPerStep, silencesKept + silencesPerStep))
  }
  // The feeds' memory varies by some MB, so peaks are compared. If each of the 30,000 alerts between them leaked 150 bytes, this
  // would be 4.5 MB.
  const middle = bytes.length / 2
  const grown = Math.max(...bytes.slice(middle)) - Math.max(...bytes.slice(0, middle))
  expect(grown, bytes.join()).toBeLessThan(4_500_000)
  await storage.close()
})
