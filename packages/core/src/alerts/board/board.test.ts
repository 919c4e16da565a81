import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runsOf } from '../../../../../test-support/lane.ts'
import { isGatehouseError } from '../../errors.ts'
import { listAlertGroups, listAlertGroupsJson } from '../alerts/list-alert-groups.ts'
import { listAlerts, listAlertsJson } from '../alerts/list-alerts.ts'
import { postAlerts } from '../alerts/post-alerts.ts'
import type { AlertsContext } from '../context.ts'
import { createAlerts } from '../create-alerts.ts'
import { config, createFixture } from '../service.fixture.ts'
import { createSilence } from '../silences/create-silence.ts'
import { expireSilence } from '../silences/expire-silence.ts'
import { listSilences, listSilencesJson } from '../silences/list-silences.ts'
import { collectGarbage } from '../start/start-maintenance.ts'

const minute = 60_000

const labels = fc.record({
  alertname: fc.constantFrom('x', 'y'),
  severity: fc.constantFrom('critical', 'warning'),
  team: fc.constantFrom('a', 'night', 'b'),
})

const matchers = fc.constantFrom(
  [{ name: 'alertname', value: 'x', isRegex: false }],
  [{ name: 'team', value: 'a|b', isRegex: true }],
  [{ name: 'team', value: 'n.+', isRegex: true }],
  [{ name: 'severity', value: 'critical', isRegex: false, isEqual: false }],
)

const step = fc.oneof(
  fc.record({
    what: fc.constant('post' as const),
    labels,
    minutes: fc.integer({ min: 0, max: 9 }),
    startsNow: fc.boolean(),
    offset: fc.constantFrom('Z', '+02:00'),
    annotations: fc.constantFrom({}, { summary: 'a' }, { summary: 'ü' }, { url: 'a' }),
  }),
  fc.record({
    what: fc.constant('silence' as const),
    matchers,
    start: fc.integer({ min: 0, max: 3 }),
    minutes: fc.integer({ min: 1, max: 6 }),
  }),
  fc.record({ what: fc.constant('expire' as const), index: fc.nat() }),
  fc.record({ what: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ what: fc.constantFrom('read' as const, 'collect' as const) }),
)

/** The lists as JSON: those that a board keeps between reads, and updates. */
async function jsonLists(alerts: AlertsContext): Promise<unknown> {
  const lists = [
    listAlertsJson(alerts),
    listAlertsJson(alerts, { filter: ['team=~"a|night"'] }),
    listAlertGroupsJson(alerts),
    listAlertGroupsJson(alerts, { receiver: 'night' }),
    listSilencesJson(alerts, { expired: false }),
  ]
  const decoder = new TextDecoder()
  const [all, some, groups, night, silences] = (await Promise.all(lists)).map((list) =>
    JSON.parse(decoder.decode(list)),
  )
  return { all, some, groups, night, silences: new Set(silences) }
}

/** An end with an offset may be before the start. */
const ignoreInvalid = (error: unknown): void => {
  if (!isGatehouseError(error) || error.reason !== 'InvalidAlerts') throw error
}

it('a board that is updated step by step equals a new one over the same storage', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { alerts, clock, storage } = createFixture()
      const start = clock.now()
      const ids: string[] = []
      for (const one of steps) {
        const now = clock.now()
        if (one.what === 'post') {
          const { labels, annotations, offset } = one
          const startsAt = one.startsNow ? now : start
          const endsAt = new Date(now + one.minutes * minute).toISOString().replace('Z', offset)
          await postAlerts(alerts, [{ labels, annotations, startsAt, endsAt }]).catch(ignoreInvalid)
        } else if (one.what === 'silence') {
          const startsAt = now + one.start * minute
          const endsAt = startsAt + one.minutes * minute
          const silence = { matchers: one.matchers, startsAt, endsAt, createdBy: '', comment: '' }
          ids.push(await createSilence(alerts, silence))
        } else if (one.what === 'expire') {
          const id = ids[one.index % Math.max(1, ids.length)]
          if (id !== undefined) await expireSilence(alerts, id)
        } else if (one.what === 'wait') clock.advance(one.minutes * minute)
        else if (one.what === 'read') await jsonLists(alerts)
        else await collectGarbage(alerts)
      }
      const fresh = createAlerts({ storage, clock, config })
      expect(await jsonLists(alerts)).toEqual(await jsonLists(fresh))
      expect(await listAlerts(alerts)).toEqual(await listAlerts(fresh))
      expect(await listAlertGroups(alerts)).toEqual(await listAlertGroups(fresh))
      expect(await listAlerts(alerts, { filter: ['team=~"a|night"'] })).toEqual(
        await listAlerts(fresh, { filter: ['team=~"a|night"'] }),
      )
      expect(new Set(await listSilences(alerts))).toEqual(new Set(await listSilences(fresh)))
    }),
    { numRuns: runsOf(100) },
  )
})

it('lists show the new times of alerts that are posted again, and everything else that changes', async () => {
  const { alerts, clock, storage } = createFixture()
  const start = clock.now()
  const posted = (team: string, summary: string) => ({
    labels: { alertname: 'ü', severity: 'warning', team },
    annotations: { summary },
    startsAt: start,
    generatorURL: `http://x/${team}`,
  })
  const [a, night, b] = [posted('a', 'é'), posted('night', '1'), posted('b', '')]
  const inMinutes = (minutes: number): number => clock.now() + minutes * minute
  await createSilence(alerts, {
    matchers: [{ name: 'team', value: 'b', isRegex: false }],
    startsAt: inMinutes(3),
    endsAt: inMinutes(60),
    createdBy: '',
    comment: '',
  })
  const rounds = [
    [a, night, b],
    [a, night, b],
    [a],
    [{ ...night, annotations: { summary: '2' } }, b],
    [{ ...a, endsAt: '2026-01-02T16:00:00+02:00' }],
    [a, night],
    [{ ...night, startsAt: start + 1 }],
    [{ ...posted('c', ''), labels: { alertname: 'ü', severity: 'critical' } }],
    [a, night, b],
  ]
  for (const round of rounds) {
    await postAlerts(
      alerts,
      round.map((alert) => ({ endsAt: inMinutes(30), ...alert })),
    )
    const fresh = createAlerts({ storage, clock, config })
    expect(await jsonLists(alerts)).toEqual(await jsonLists(fresh))
    clock.advance(minute)
  }
})
