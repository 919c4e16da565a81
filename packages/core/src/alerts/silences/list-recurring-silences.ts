import { inSlices } from '../../async/slices.ts'
import { decodeInput, numberFrom } from '../../input/decode.ts'
import type { Instant } from '../../time/clock.ts'
import type { Labels } from '../alert/alert.ts'
import type { AlertsContext } from '../context.ts'
import { invalidSilence } from '../errors.ts'
import { findOccurrences, type Occurrence } from '../recurrence/occurrences.ts'
import {
  findRecurringSilences,
  type StoredRecurringSilence,
} from '../recurrence/recurring-silence.ts'
import {
  fromStored,
  type TimeIntervalInput,
  timeIntervalsInput,
  toTimeIntervals,
  unknownName,
} from '../recurrence/time-interval-input.ts'
import type { TimeInterval } from '../routing/time-interval.ts'
import type { WireMatcher } from '../silence/silence.ts'
import type * as wire from '../wire/types.generated.ts'

/** A time at which a recurring silence holds. Both are RFC 3339. */
export type ListedOccurrence = wire.Occurrence

/** A recurring silence. */
export interface ListedRecurringSilence {
  id: string
  matchers: readonly Required<WireMatcher>[]
  timeIntervals: readonly TimeIntervalInput[]
  createdBy: string
  comment: string
  annotations?: Labels
  /** RFC 3339. */
  createdAt: string
  /** The silences of its present and its next occurrence. */
  silenceIds: readonly string[]
  /** When it holds next, or now; absent if it does not in the next five years. */
  next?: ListedOccurrence
}

/** Lists the recurring silences, the oldest first. */
export async function listRecurringSilences(
  alerts: AlertsContext,
): Promise<readonly ListedRecurringSilence[]> {
  const now = alerts.clock.now()
  const listed: ListedRecurringSilence[] = []
  for (const { id, value } of await findRecurringSilences(alerts.storage)) {
    const intervals = toTimeIntervals(
      fromStored(value.timeIntervals),
      alerts.config.current.time_intervals,
    )
    const [next] = await inSlices(findOccurrences(intervals, now, 1))
    listed.push(toListed(id, value, { now, next }))
  }
  return listed
}

/** The form in which a recurring silence is listed. */
export function toListed(
  id: string,
  value: StoredRecurringSilence,
  { now, next }: { readonly now: Instant; readonly next: Occurrence | undefined },
): ListedRecurringSilence {
  const { madeUntil: _, createdAt, silences, timeIntervals, ...rest } = value
  return {
    id,
    ...rest,
    timeIntervals: fromStored(timeIntervals),
    createdAt: new Date(createdAt).toISOString(),
    silenceIds: silences.filter(({ endsAt }) => endsAt > now).map((one) => one.id),
    ...(next === undefined ? {} : { next: toListedOccurrence(next) }),
  }
}

/**
 * The next ten occurrences of time intervals, within five years. An occurrence longer than 31 days is listed in parts.
 *
 * @throws {GatehouseError} `InvalidInput`; `InvalidSilence` if the configuration does not have a name.
 * @example
 * const nights = [{ times: [{ startTime: '22:00', endTime: '24:00' }], location: 'Europe/Berlin' }]
 * const [tonight] = await listOccurrences(alerts, nights)
 */
export async function listOccurrences(
  alerts: Pick<AlertsContext, 'clock' | 'config'>,
  timeIntervals: readonly TimeIntervalInput[],
  count = 10,
): Promise<readonly ListedOccurrence[]> {
  const given = decodeInput('timeIntervals', timeIntervalsInput, timeIntervals)
  const most = Math.floor(decodeInput('count', numberFrom(1, 100), count))
  const intervals = knownIntervals(alerts, given)
  const found = await inSlices(findOccurrences(intervals, alerts.clock.now(), most))
  return found.map(toListedOccurrence)
}

/** The intervals of a request. @throws {GatehouseError} `InvalidSilence` if the configuration does not have a name. */
export function knownIntervals(
  { config }: Pick<AlertsContext, 'config'>,
  given: readonly TimeIntervalInput[],
): readonly TimeInterval[] {
  const { time_intervals: named } = config.current
  const unknown = unknownName(given, named)
  if (unknown !== undefined) {
    throw invalidSilence(`the configuration has no time interval ${JSON.stringify(unknown)}`)
  }
  return toTimeIntervals(given, named)
}

const toListedOccurrence = ({ startsAt, endsAt }: Occurrence): ListedOccurrence => ({
  startsAt: new Date(startsAt).toISOString(),
  endsAt: new Date(endsAt).toISOString(),
})
