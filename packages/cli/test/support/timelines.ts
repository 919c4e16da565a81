/** Changes to the alerts of one timeline. Times are seconds from its start. */
export interface TimelineEvent {
  readonly at: number
  /** Names of alerts that begin to fire, or go on firing. */
  readonly fire?: readonly string[]
  /** Names of alerts that are resolved. */
  readonly resolve?: readonly string[]
  /** Creates a silence for all alerts of the timeline, for this many seconds. */
  readonly silenceFor?: number
  /** Ends the silence. */
  readonly expireSilence?: true
}

/** Alerts that are independent of other timelines, so that all timelines run at the same time. */
export interface Timeline {
  readonly name: string
  /** Labels of all its alerts, besides `timeline` and `alertname`. */
  readonly labels?: Readonly<Record<string, string>>
  /** More labels of some alerts, by name. */
  readonly labelsOf?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly annotationsOf?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** How long before the first event its alerts began (default 0). */
  readonly olderBy?: number
  /** The seconds after which alerts end by themselves (default an hour). */
  readonly endsIn?: number
  readonly events: readonly TimelineEvent[]
  /** The minimum number of notifications in all: comparing two empty lists would show little. */
  readonly atLeast: number
}

/** How long the timelines are compared. No group is due within a second of this time. */
export const lastsSeconds = 23.5

/**
 * Waits 1 s, ticks every 3 s, repeats after 7 s: notifications come at 1 and, if nothing changes, at 10 and 19. No event is
 * within a second of a tick, so that a busy machine makes no difference.
 *
 * Alertmanager 0.25 keeps a group whose alerts are all resolved for up to 30 s, and an alert that comes back waits for the next
 * tick of the old group; later versions, and Gatehouse, start a new group. Where alerts come back here, they do so one
 * `group_wait` before a tick of the old group.
 */
export const configFor = (receiver: string): string => `
route:
  receiver: team
  group_by: [timeline]
  group_wait: 1s
  group_interval: 3s
  repeat_interval: 7s
  routes:
  - { receiver: limited, matchers: [ 'to="limited"' ] }
  - { receiver: firing-only, matchers: [ 'to="firing-only"' ] }
  - { receiver: one, matchers: [ 'to="both"' ], continue: true }
  - { receiver: other, matchers: [ 'to="both"' ], group_by: ['...'] }
  - { receiver: team, matchers: [ 'to="muted"' ], mute_time_intervals: [always] }
  - { receiver: team, matchers: [ 'to="inactive"' ], active_time_intervals: [never] }
  - { receiver: team, matchers: [ 'to="active"' ], active_time_intervals: [always], mute_time_intervals: [never] }
  - { receiver: halves, matchers: [ 'to="halves"' ] }
  - { receiver: shaky, matchers: [ 'to="shaky"' ] }
inhibit_rules:
- source_matchers: [ 'severity="critical"' ]
  target_matchers: [ 'severity="warning"' ]
  equal: [timeline]
time_intervals:
- name: always
  time_intervals: [ { years: ['2000:2200'] } ]
- name: never
  time_intervals: [ { years: ['2001'] } ]
receivers:
- name: team
  webhook_configs: [ { url: '${receiver}/team' } ]
- name: limited
  webhook_configs: [ { url: '${receiver}/limited', max_alerts: 2 } ]
- name: firing-only
  webhook_configs: [ { url: '${receiver}/firing-only', send_resolved: false } ]
- name: one
  webhook_configs: [ { url: '${receiver}/one' } ]
- name: other
  webhook_configs: [ { url: '${receiver}/other' } ]
- name: halves
  webhook_configs: [ { url: '${receiver}/halves/good' }, { url: '${receiver}/halves/bad' } ]
- name: shaky
  webhook_configs: [ { url: '${receiver}/shaky' } ]
`

/** The status that the receiver of {@link configFor} returns: one integration always fails, one does at first. */
export function statusFor(path: string, earlier: number): number {
  if (path === '/halves/bad') return 400
  return path === '/shaky' && earlier === 0 ? 500 : 200
}

export const timelines: readonly Timeline[] = [
  {
    name: 'a group fires and is repeated',
    events: [{ at: 0, fire: ['a'] }],
    atLeast: 3,
  },
  {
    name: 'an alert that is older than the wait is notified at once',
    olderBy: 60,
    events: [{ at: 0, fire: ['a'] }],
    atLeast: 3,
  },
  {
    name: 'a group grows',
    annotationsOf: {
      a: { summary: 'first', runbook: 'http://runbooks.test/' },
      b: { summary: 'second', runbook: 'http://runbooks.test/' },
    },
    labelsOf: {
      a: { job: 'node', instance: 'z' },
      b: { job: 'node', instance: 'b' },
      c: { x: '1' },
    },
    events: [
      { at: 0, fire: ['a'] },
      { at: 2.5, fire: ['b'] },
      { at: 8.5, fire: ['c', 'd'] },
    ],
    atLeast: 4,
  },
  {
    name: 'one alert of a group is resolved, then the other',
    events: [
      { at: 0, fire: ['a', 'b'] },
      { at: 5.5, resolve: ['a'] },
      { at: 11.5, resolve: ['b'] },
    ],
    atLeast: 3,
  },
  {
    name: 'all alerts of a group are resolved at once',
    events: [
      { at: 0, fire: ['a', 'b', 'c'] },
      { at: 2.5, resolve: ['a', 'b', 'c'] },
    ],
    atLeast: 2,
  },
  {
    name: 'alerts end by themselves',
    endsIn: 5.5,
    events: [{ at: 0, fire: ['a', 'b'] }],
    atLeast: 2,
  },
  {
    name: 'an alert that is resolved while its group waits is not notified',
    events: [
      { at: 0, fire: ['a'] },
      { at: 0.1, resolve: ['a'] },
    ],
    atLeast: 0,
  },
  {
    name: 'an alert that comes back between two ticks counts as never gone',
    events: [
      { at: 0, fire: ['a'] },
      { at: 5.2, resolve: ['a'] },
      { at: 5.7, fire: ['a'] },
    ],
    atLeast: 3,
  },
  {
    name: 'an alert that comes back after its resolved notification is notified again',
    events: [
      { at: 0, fire: ['a'] },
      { at: 2.5, resolve: ['a'] },
      { at: 9, fire: ['a'] },
    ],
    atLeast: 4,
  },
  {
    name: 'a silence holds repeats back until it ends',
    events: [
      { at: 0, fire: ['a'] },
      { at: 2.5, silenceFor: 12 },
    ],
    atLeast: 2,
  },
  {
    name: 'an expired silence holds nothing back',
    events: [
      { at: 0, fire: ['a'] },
      { at: 2.5, silenceFor: 600 },
      { at: 5.5, fire: ['b'] },
      { at: 11.5, expireSilence: true },
    ],
    atLeast: 3,
  },
  {
    name: 'an alert that is resolved while it is silenced is not notified',
    events: [
      { at: 0, fire: ['a'] },
      { at: 2.5, silenceFor: 6 },
      { at: 5.5, resolve: ['a'] },
    ],
    atLeast: 1,
  },
  {
    name: 'a warning is inhibited while a critical alert fires',
    labelsOf: { warned: { severity: 'warning' }, broken: { severity: 'critical' } },
    events: [
      { at: 0, fire: ['warned'] },
      { at: 2.5, fire: ['broken'] },
      { at: 8.5, resolve: ['broken'] },
    ],
    atLeast: 4,
  },
  {
    name: 'two receivers are notified, one of them of each alert separately',
    labels: { to: 'both' },
    events: [
      { at: 0, fire: ['a', 'b'] },
      { at: 5.5, resolve: ['a'] },
    ],
    atLeast: 7,
  },
  {
    name: 'a receiver gets at most max_alerts alerts',
    labels: { to: 'limited' },
    labelsOf: { a: { zone: '1', rack: 'r' }, b: { zone: '1', rack: 's' }, c: { zone: '2' } },
    events: [{ at: 0, fire: ['a', 'b', 'c', 'd'] }],
    atLeast: 3,
  },
  {
    name: 'a receiver without send_resolved is notified when a resolved alert fires again',
    labels: { to: 'firing-only' },
    events: [
      { at: 0, fire: ['a', 'b'] },
      { at: 2.5, resolve: ['a', 'b'] },
      { at: 9, fire: ['a'] },
    ],
    atLeast: 3,
  },
  {
    name: 'a muted group is not notified',
    labels: { to: 'muted' },
    events: [{ at: 0, fire: ['a'] }],
    atLeast: 0,
  },
  {
    name: 'a group outside of its active time is not notified',
    labels: { to: 'inactive' },
    events: [{ at: 0, fire: ['a'] }],
    atLeast: 0,
  },
  {
    name: 'a group within its active time is notified',
    labels: { to: 'active' },
    events: [{ at: 0, fire: ['a'] }],
    atLeast: 3,
  },
  {
    name: 'a failing integration is retried at every tick, and the other one follows its own schedule',
    labels: { to: 'halves' },
    events: [{ at: 0, fire: ['a'] }],
    atLeast: 11,
  },
  {
    name: 'a failed notification is retried, and then counts as sent',
    labels: { to: 'shaky' },
    events: [{ at: 0, fire: ['a'] }],
    atLeast: 4,
  },
]
