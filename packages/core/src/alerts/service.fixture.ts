import { createMemoryStorage } from '@gatehouse/store-memory'
import type { Storage } from '../storage/storage.ts'
import { createManualClock, type ManualClock } from '../testing/index.ts'
import type { AlertsContext } from './context.ts'
import { type AlertsOptions, createAlerts } from './create-alerts.ts'

/** A small configuration with two teams, an inhibit rule and a time interval. */
export const config = `
route:
  receiver: default
  group_by: [alertname]
  routes:
  - receiver: team-a
    matchers: [ 'team="a"' ]
    continue: true
  - receiver: night
    matchers: [ 'team=~"a|night"' ]
    mute_time_intervals: [ day ]
inhibit_rules:
- source_matchers: [ 'severity="critical"' ]
  target_matchers: [ 'severity="warning"' ]
  equal: [ alertname ]
receivers:
- name: default
- name: team-a
- name: night
time_intervals:
- name: day
  time_intervals:
  - times: [ { start_time: '08:00', end_time: '20:00' } ]
`

/** The service over a memory store, with a clock that stands at noon. */
export function createFixture(options: Partial<AlertsOptions> = {}): {
  alerts: AlertsContext
  clock: ManualClock
  storage: Storage
} {
  const clock = createManualClock(Date.UTC(2026, 0, 2, 12))
  const storage = createMemoryStorage({ clock })
  return { alerts: createAlerts({ storage, clock, config, ...options }), clock, storage }
}
