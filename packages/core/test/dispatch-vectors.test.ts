import { readFileSync } from 'node:fs'
import {
  type AlertsContext,
  createAlerts,
  createSilence,
  postAlerts,
  startDispatcher,
  updateAlertsConfig,
} from '@gatehouse/core'
import type { Dispatcher, SendRequest } from '@gatehouse/core/alerts'
import { createManualClock } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { describe, expect, it } from 'vitest'

interface Event {
  readonly at: number
  readonly post?: {
    readonly labels: Readonly<Record<string, string>>
    readonly startsInS: number
    readonly endsInS: number
  }
  readonly silence?: {
    readonly matchers: readonly {
      name: string
      value: string
      isRegex: boolean
      isEqual?: boolean
    }[]
    readonly startsInS?: number
    readonly endsInS: number
  }
  readonly reload?: true
  readonly stop?: 'SIGTERM' | 'SIGKILL'
  readonly start?: true
}

interface Expected {
  readonly at: number
  /** The result in newer versions. */
  readonly followAt?: number
  readonly path: string
  readonly groupKey: string
  readonly status: string
  readonly alerts: readonly { readonly alertname: string; readonly status: string }[]
  readonly truncatedAlerts?: number
  readonly countMin?: number
  readonly countMax?: number
}

interface Scenario {
  readonly name: string
  readonly config: string
  readonly events: readonly Event[]
  readonly hook?: Readonly<Record<string, { readonly status: number; readonly body?: string }>>
  readonly expect: readonly Expected[]
  readonly check?: {
    readonly path: string
    readonly firstAt: number
    readonly minCountBy: Readonly<Record<string, number>>
    readonly maxCountBy: Readonly<Record<string, number>>
  }
  readonly until: number
}

const file = (name: string): string =>
  readFileSync(new URL(`../vectors/alerts/${name}`, import.meta.url), 'utf8')

const { scenarios } = JSON.parse(file('dispatch.json')) as { scenarios: Scenario[] }

/**
 * Deliberate differences from the reference, by scenario and index of the expectation: the time of the notification, or
 * `undefined` if it must not come.
 */
const improved: Readonly<Record<string, Readonly<Record<number, number | undefined>>>> = {
  // Timers survive a restart: the group stays on its ticks at 2, 5, … 17, 20.
  'clean restart: the notification log survives, no duplicate; the source re-posts the alert': {
    2: 20,
  },
  'clean restart: an alert that resolved across the restart still gets its resolved notification when the source reports it':
    { 2: 17 },
  // The log survives, so nothing is sent twice.
  'crash (SIGKILL): the reference loses the log and sends a duplicate at once': { 1: undefined },
}

interface Received {
  readonly at: number
  readonly path: string
  readonly groupKey: string
  readonly status: string
  readonly alerts: readonly { readonly alertname: string; readonly status: string }[]
  readonly truncatedAlerts: number
}

const stores = {
  memory: createMemoryStorage,
  sqlite: (options: { clock: ReturnType<typeof createManualClock> }) =>
    createSqliteStorage({ filename: ':memory:', ...options }),
}

const hook = 'http://hook.test'
const tickMs = 10

/** Plays a scenario on a clock that advances in steps, and returns the notifications of its receivers. */
async function play(
  { config: configFile, events, hook: answers = {}, until }: Scenario,
  createStorage: (typeof stores)[keyof typeof stores],
): Promise<readonly Received[]> {
  const clock = createManualClock(Date.UTC(2026, 10, 21))
  const startedAt = clock.now()
  const storage = createStorage({ clock })
  const received: Received[] = []
  const config = file(configFile)
    .replaceAll('{hook}', hook)
    .replaceAll('http://127.0.0.1:29899', hook)

  const send: SendRequest = async ({ url, body = '' }) => {
    const path = url.slice(hook.length)
    const { groupKey, status, alerts, truncatedAlerts } = JSON.parse(body)
    received.push({
      at: (clock.now() - startedAt) / 1_000,
      path,
      groupKey,
      status,
      alerts: alerts.map((one: { labels: { alertname: string }; status: string }) => ({
        alertname: one.labels.alertname,
        status: one.status,
      })),
      truncatedAlerts,
    })
    const { status: code, body: text = '' } = answers[path] ?? { status: 200 }
    return { status: code, headers: new Headers(), body: text }
  }

  let turn = 0
  const random = (): number => (turn++ * 0.37) % 1
  const start = (): { alerts: AlertsContext; dispatcher: Dispatcher } => {
    const alerts = createAlerts({ storage, clock, config, send })
    return { alerts, dispatcher: startDispatcher(alerts, { random }) }
  }
  let process = start()
  const at = (seconds: number): number => clock.now() + seconds * 1_000
  const happen = async (event: Event): Promise<void> => {
    const { post, silence, reload, stop, start: starts } = event
    const { alerts, dispatcher } = process
    if (post !== undefined) {
      const { labels, startsInS, endsInS } = post
      await postAlerts(alerts, [{ labels, startsAt: at(startsInS), endsAt: at(endsInS) }])
    }
    if (silence !== undefined) {
      const { matchers, startsInS = 0, endsInS } = silence
      const times = { startsAt: at(startsInS), endsAt: at(endsInS) }
      await createSilence(alerts, { matchers, ...times, createdBy: 'x', comment: 'y' })
    }
    if (reload) updateAlertsConfig(alerts, config)
    // Crashes are tested with real processes. Here nothing is under way.
    if (stop !== undefined) await dispatcher.stop()
    if (starts) process = start()
  }

  const left = [...events]
  for (let step = 0; step <= (until * 1_000) / tickMs; step++) {
    if (step > 0) clock.advance(tickMs)
    await process.dispatcher.settled()
    while (left[0] !== undefined && left[0].at * 1_000 <= step * tickMs) {
      const event = left.shift()
      if (event !== undefined) await happen(event)
      await process.dispatcher.settled()
    }
  }
  await process.dispatcher.stop()
  await storage.close()
  return received
}

/** The expected notifications, in order, each within 0.3 seconds. */
function expectedOf({ name, expect: vectors }: Scenario): readonly Expected[] {
  const better = improved[name] ?? {}
  const expected = vectors.flatMap((one, index) => {
    const at = index in better ? better[index] : (one.followAt ?? one.at)
    return at === undefined ? [] : [{ ...one, at }]
  })
  return expected.sort(byPlace)
}

/** Simultaneous notifications come in any order, because the integrations of a receiver are notified concurrently. */
const byPlace = (a: Received | Expected, b: Received | Expected): number =>
  Math.round(a.at) - Math.round(b.at) || (a.path + a.groupKey < b.path + b.groupKey ? -1 : 1)

function checkReceived(scenario: Scenario, received: readonly Received[]): void {
  const { check } = scenario
  if (check !== undefined) {
    const times = received.filter(({ path }) => path === check.path).map(({ at }) => at)
    const countBy = (seconds: string): number => times.filter((at) => at <= Number(seconds)).length
    expect(times[0]).toBeCloseTo(check.firstAt, 1)
    for (const [by, least] of Object.entries(check.minCountBy)) {
      expect(countBy(by)).toBeGreaterThanOrEqual(least)
    }
    for (const [by, most] of Object.entries(check.maxCountBy)) {
      expect(countBy(by)).toBeLessThanOrEqual(most)
    }
    return
  }
  const expected = expectedOf(scenario)
  const got = [...received].sort(byPlace)
  const brief = ({ path, groupKey, status, alerts }: Received | Expected) => ({
    path,
    groupKey,
    status,
    alerts: alerts.map(({ alertname, status: state }) => ({ alertname, status: state })),
  })
  expect(got.map(brief), JSON.stringify(got.map(({ at }) => at))).toEqual(expected.map(brief))
  for (const [index, { at, truncatedAlerts = 0 }] of expected.entries()) {
    expect(Math.abs((got[index]?.at ?? 0) - at), `${got[index]?.at} for ${at}`).toBeLessThan(0.31)
    expect(got[index]?.truncatedAlerts).toBe(truncatedAlerts)
  }
}

describe.each(Object.entries(stores))('dispatch on %s', (_, createStorage) => {
  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    async (_name, scenario) => {
      checkReceived(scenario, await play(scenario, createStorage))
    },
  )
})
