import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createAlerts } from '../create-alerts.ts'
import { createSilence } from '../create-silence.ts'
import { expireSilence } from '../expire-silence.ts'
import { listAlertGroups } from '../list-alert-groups.ts'
import { listAlerts } from '../list-alerts.ts'
import { listSilences } from '../list-silences.ts'
import { postAlerts } from '../post-alerts.ts'
import { config, createFixture } from '../service.fixture.ts'
import { collectGarbage } from '../start-maintenance.ts'

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

it('a board that is updated step by step equals a new one over the same storage', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { alerts, clock, storage } = createFixture()
      const ids: string[] = []
      for (const one of steps) {
        const now = clock.now()
        if (one.what === 'post') {
          const endsAt = now + one.minutes * minute
          await postAlerts(alerts, [{ labels: one.labels, startsAt: now, endsAt }])
        } else if (one.what === 'silence') {
          const startsAt = now + one.start * minute
          const endsAt = startsAt + one.minutes * minute
          const silence = { matchers: one.matchers, startsAt, endsAt, createdBy: '', comment: '' }
          ids.push(await createSilence(alerts, silence))
        } else if (one.what === 'expire') {
          const id = ids[one.index % Math.max(1, ids.length)]
          if (id !== undefined) await expireSilence(alerts, id)
        } else if (one.what === 'wait') clock.advance(one.minutes * minute)
        else if (one.what === 'read') await listAlerts(alerts)
        else await collectGarbage(alerts)
      }
      const fresh = createAlerts({ storage, clock, config })
      expect(await listAlerts(alerts)).toEqual(await listAlerts(fresh))
      expect(await listAlertGroups(alerts)).toEqual(await listAlertGroups(fresh))
      expect(await listAlerts(alerts, { filter: ['team=~"a|night"'] })).toEqual(
        await listAlerts(fresh, { filter: ['team=~"a|night"'] }),
      )
      expect(new Set(await listSilences(alerts))).toEqual(new Set(await listSilences(fresh)))
    }),
  )
})
