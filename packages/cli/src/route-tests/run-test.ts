import type { AlertsContext, Clock } from '@gatehouse/core'
import {
  type AlertsConfigSource,
  createAlerts,
  createSilence,
  explain,
  type MatcherMode,
  parseMatchers,
  postAlerts,
  startDispatcher,
} from '@gatehouse/core/alerts'
import { createManualClock, type ManualClock } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import type { RouteTest, Step } from './test-file.ts'

type Labels = Readonly<Record<string, string>>

/** A route or a notification, with the same fields as in the test file. */
export type Outcome = Readonly<Record<string, unknown>>

/** The configuration under test. */
export interface Tested {
  readonly source: AlertsConfigSource
  readonly matcherMode: MatcherMode
}

const day = 86_400_000
const defaultTime = Date.UTC(2026, 0, 1)

/** The routes that the alert of a test takes, or the notifications of its sequence. */
export async function runTest(tested: Tested, test: RouteTest): Promise<readonly Outcome[]> {
  return test.labels === undefined ? runSequence(tested, test) : runRoutes(tested, test)
}

async function runRoutes(tested: Tested, test: RouteTest): Promise<readonly Outcome[]> {
  const clock = createManualClock(test.time ?? defaultTime)
  const { routes } = await explain(serviceOf(tested, clock), Object.fromEntries(test.labels ?? []))
  return routes.map((route) => ({
    receiver: route.receiver,
    group_labels: route.groupLabels,
    group_wait: route.groupWaitMs,
    group_interval: route.groupIntervalMs,
    repeat_interval: route.repeatIntervalMs,
    muted_by: route.mutedBy,
  }))
}

function serviceOf(
  { source, matcherMode }: Tested,
  clock: Clock,
  sent?: (outcome: Outcome) => void,
): AlertsContext {
  return createAlerts({
    storage: createMemoryStorage({ clock }),
    logger: false,
    clock,
    config: source,
    matcherMode,
    // Instead of all integrations: nothing is sent.
    ...(sent && {
      notifiers: () => [
        {
          name: 'test',
          async notify({ receiver, groupLabels, alerts }) {
            const withStatus = (status: string): readonly Labels[] =>
              alerts.filter((alert) => alert.status === status).map(({ labels }) => labels)
            sent({
              at: clock.now(),
              receiver,
              group_labels: groupLabels,
              firing: withStatus('firing'),
              resolved: withStatus('resolved'),
            })
            return { outcome: 'sent' }
          },
        },
      ],
    }),
  })
}

/** A test with more is probably a mistake, and would print pages. */
const maxNotifications = 2_000

/** Runs the real dispatcher from one timer to the next. */
async function runSequence(tested: Tested, test: RouteTest): Promise<readonly Outcome[]> {
  const { time = defaultTime, until = 0, steps = [] } = test
  const clock = createManualClock(time)
  const timers = createTimers(clock)
  const outcomes: Outcome[] = []
  const alerts = serviceOf(tested, timers.clock, ({ at, ...outcome }) => {
    if (outcomes.length === maxNotifications) {
      throw new Error(`${test.name}: more than ${maxNotifications} notifications`)
    }
    outcomes.push({ at: Number(at) - time, ...outcome })
  })
  const dispatcher = startDispatcher(alerts)
  const end = time + until
  await dispatcher.settled()
  const left = steps
    .map((step) => ({ ...step, at: step.at ?? 0 }))
    .filter(({ at }) => at <= until)
    .toSorted((a, b) => a.at - b.at)
  try {
    for (;;) {
      for (; left[0] !== undefined && time + left[0].at <= clock.now(); left.shift()) {
        await apply(alerts, left[0], end)
      }
      await dispatcher.settled()
      const next = Math.min(timers.next(), time + (left[0]?.at ?? Number.POSITIVE_INFINITY))
      if (next > end) return outcomes
      clock.setTo(next)
      await dispatcher.settled()
    }
  } finally {
    await dispatcher.stop()
  }
}

async function apply(alerts: AlertsContext, step: Step, end: number): Promise<void> {
  const now = alerts.clock.now()
  // Like a source that sends its alert again and again until it resolves.
  const firing = step.fire.map((labels) => ({
    labels: Object.fromEntries(labels),
    startsAt: now,
    endsAt: end + 365 * day,
  }))
  const resolved = step.resolve.map((labels) => ({
    labels: Object.fromEntries(labels),
    endsAt: now,
  }))
  if (firing.length > 0) await postAlerts(alerts, firing)
  if (resolved.length > 0) await postAlerts(alerts, resolved)
  if (step.silence !== undefined) {
    const matchers = step.silence.flatMap((one) => parseMatchers(one, alerts.options.matcherMode))
    await createSilence(alerts, {
      matchers: matchers.map(({ name, operator, value }) => ({
        name,
        value,
        isRegex: operator.endsWith('~'),
        isEqual: operator.startsWith('='),
      })),
      startsAt: now,
      endsAt: now + (step.for ?? day),
      createdBy: 'gatehouse test',
      comment: 'a step of a test',
    })
  }
}

/** A clock that knows when its next timer is due. */
function createTimers(manual: ManualClock): { readonly clock: Clock; next(): number } {
  const due = new Map<object, number>()
  return {
    clock: {
      now: manual.now,
      monotonic: manual.monotonic,
      setTimer(ms, fire) {
        const timer = {}
        due.set(timer, manual.now() + ms)
        const cancel = manual.setTimer(ms, () => {
          due.delete(timer)
          fire()
        })
        return () => {
          due.delete(timer)
          cancel()
        }
      },
    },
    next: () => Math.min(...due.values()),
  }
}
