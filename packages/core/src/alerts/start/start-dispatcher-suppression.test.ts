import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSilence } from '../silences/create-silence.ts'
import { createDispatchWorld, type DispatchWorld } from './start-dispatcher.fixture.ts'

let world: DispatchWorld
beforeEach(() => {
  world = createDispatchWorld()
})
afterEach(() => world.end())

/** One route, with alert names that say whether and how they are suppressed. */
const config = `
route:
  receiver: team
  group_by: [alertname]
  group_wait: 30s
  routes:
    - { matchers: [alertname=Muted], mute_time_intervals: [always] }
    - { matchers: [alertname=Inactive], active_time_intervals: [never] }
    - { matchers: [alertname=Both], active_time_intervals: [never], mute_time_intervals: [always] }
time_intervals:
  - { name: always, time_intervals: [{ years: ['2000:2999'] }] }
  - { name: never, time_intervals: [{ years: ['1900'] }] }
inhibit_rules:
  - { source_matchers: [alertname=Source], target_matchers: [alertname=Inhibited] }
receivers: [{ name: team }]
`

describe('suppressed alerts', () => {
  it('are counted by reason, active time intervals separate from mute time intervals', async () => {
    const one = world.start({ config })
    await createSilence(one.alerts, {
      matchers: [{ name: 'alertname', value: 'Silenced', isRegex: false, isEqual: true }],
      startsAt: world.clock.now(),
      endsAt: world.clock.now() + 3_600_000,
      createdBy: 'somebody',
      comment: 'for a while',
    })
    const posted = ['Muted/1', 'Muted/2', 'Inactive/1', 'Both/1', 'Silenced/1', 'Inhibited/1']
    await world.post(one, [...posted, 'Source/1'])
    await world.pass(31)
    expect(world.notifications.map(({ alerts }) => alerts)).toEqual([['Source/1 firing']])
    const { body } = await one.alerts.metrics.expose(null)
    const suppressed = body
      .split('\n')
      .filter((line) => line.startsWith('alertmanager_notifications_suppressed_total{'))
    expect(suppressed.sort()).toEqual(
      ['active_time_interval"} 2', 'inhibition"} 1', 'mute_time_interval"} 2', 'silence"} 1'].map(
        (end) => `alertmanager_notifications_suppressed_total{reason="${end}`,
      ),
    )
    expect(one.decisions.filter(({ outcome }) => outcome === 'muted')).toMatchObject([
      { detail: 'always' },
      { detail: 'never' },
      { detail: 'never' },
    ])
  })
})
