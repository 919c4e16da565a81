import { parseMatchers } from '@gatehouse/core/alerts'
import {
  checked,
  duration,
  filledText,
  listOf,
  mapOf,
  mapping,
  optional,
  required,
  type Schema,
  text,
  withDefault,
} from '@gatehouse/core/document'
import { checkedBy } from '../config/kinds.ts'

type Pairs = ReadonlyMap<string, string>

/** A file of `gatehouse test`. */
export interface TestFile {
  readonly config: string
  readonly tests: readonly RouteTest[]
}

/** One test: the routes of an alert, or the notifications of a sequence. */
export interface RouteTest {
  readonly name: string
  /** Instant in ms. */
  readonly time: number | undefined
  readonly labels: Pairs | undefined
  readonly routes: readonly ExpectedRoute[] | undefined
  readonly steps: readonly Step[] | undefined
  /** After the start, in ms. */
  readonly until: number | undefined
  readonly notifications: readonly ExpectedNotification[] | undefined
}

/** A route as expected. Only the given fields are compared. */
export interface ExpectedRoute {
  readonly receiver: string
  readonly group_labels: Pairs | undefined
  readonly group_wait: number | undefined
  readonly group_interval: number | undefined
  readonly repeat_interval: number | undefined
  readonly muted_by: readonly string[] | undefined
}

/** Something that happens in a sequence. */
export interface Step {
  /** After the start, in ms. */
  readonly at: number | undefined
  readonly fire: readonly Pairs[]
  readonly resolve: readonly Pairs[]
  readonly silence: readonly string[] | undefined
  /** How long the silence lasts, in ms. */
  readonly for: number | undefined
}

/** A notification as expected. Only the given fields are compared. */
export interface ExpectedNotification {
  /** After the start, in ms. */
  readonly at: number
  readonly receiver: string
  readonly group_labels: Pairs | undefined
  readonly firing: readonly Pairs[] | undefined
  readonly resolved: readonly Pairs[] | undefined
}

const day = 86_400_000
const length: Schema<number> = duration({ isAge: true })
/** A longer sequence is probably a mistake, and takes long. */
const maxSequenceLength = 92 * day

const labels: Schema<Pairs> = mapOf(text, text)
const labelSets = listOf(labels)

const time: Schema<number> = checkedBy((written) => {
  const at = /^\d{4}-\d\d-\d\dT/.test(written) ? Date.parse(written) : Number.NaN
  if (Number.isNaN(at)) throw new Error('must be an instant such as 2026-01-05T10:00:00Z')
  return at
})

const matcher: Schema<string> = checkedBy((written) => {
  parseMatchers(written, 'fallback')
  return written
})

const route: Schema<ExpectedRoute> = mapping<ExpectedRoute>(
  {
    receiver: required(filledText, 'The receiver.'),
    group_labels: optional(labels, 'The labels of the group.'),
    group_wait: optional(length, 'How long a new group waits.'),
    group_interval: optional(length, 'How long a group waits between notifications.'),
    repeat_interval: optional(length, 'How long until an unchanged group is notified again.'),
    muted_by: optional(listOf(text), 'The time intervals that mute the group at `time`.'),
  },
  { title: 'Route' },
)

const step: Schema<Step> = mapping<Step>(
  {
    at: optional(length, 'When it happens, after the start. Default: `0s`.'),
    fire: withDefault(labelSets, [], 'Alerts that fire from then on, by their labels.'),
    resolve: withDefault(labelSets, [], 'Alerts that resolve, by their labels.'),
    silence: optional(listOf(matcher), 'Matchers of a silence that starts.'),
    for: optional(length, 'How long the silence lasts. Default: `1d`.'),
  },
  { title: 'Step' },
)

const notification: Schema<ExpectedNotification> = mapping<ExpectedNotification>(
  {
    at: required(length, 'When it is sent, after the start.'),
    receiver: required(filledText, 'The receiver.'),
    group_labels: optional(labels, 'The labels of the group.'),
    firing: optional(labelSets, 'The labels of its firing alerts, in any order.'),
    resolved: optional(labelSets, 'The labels of its resolved alerts, in any order.'),
  },
  { title: 'Notification' },
)

const routeTest: Schema<RouteTest> = checked(
  mapping<RouteTest>(
    {
      name: required(filledText, 'What the test shows.'),
      time: optional(
        time,
        'The instant, or the start of the sequence. Default: 2026-01-01T00:00:00Z.',
      ),
      labels: optional(labels, 'The labels of an alert.'),
      routes: optional(listOf(route), 'The routes that the alert takes, in order.'),
      steps: optional(listOf(step), 'A sequence of alerts.'),
      until: optional(duration({ most: maxSequenceLength }), 'How long the sequence runs.'),
      notifications: optional(
        listOf(notification),
        'All notifications of the sequence, and no others.',
      ),
    },
    { title: 'Test' },
  ),
  ({ value, isBroken, report }) => {
    const has = (key: keyof RouteTest): boolean => value[key] !== undefined || isBroken(key)
    const isSequence = has('steps') || has('until') || has('notifications')
    const isRoute = has('labels') || has('routes')
    if (isSequence === isRoute) {
      report([], 'conflict', 'needs either labels and routes, or steps, until and notifications')
      return
    }
    const keys = isRoute ? (['labels', 'routes'] as const) : sequenceKeys
    for (const key of keys) if (!has(key)) report([key], 'required', 'is missing')
  },
)

const sequenceKeys = ['steps', 'until', 'notifications'] as const

/** The schema of the file. */
export const testFile: Schema<TestFile> = mapping<TestFile>({
  config: required(
    filledText,
    'The path of an `alertmanager.yml`, or of a file of `gatehouse api` with `alerts`.',
  ),
  tests: required(listOf(routeTest), 'The tests.'),
})
