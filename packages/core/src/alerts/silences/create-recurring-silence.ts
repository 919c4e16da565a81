import { inSlices } from '../../async/slices.ts'
import { type Caller, nameOf } from '../../authorization/authorize.ts'
import { anyText, decodeInput, exactly, listOf, optional, recordId } from '../../input/decode.ts'
import type { FromCode } from '../../input/from-code.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { labelsInput } from '../alert/alert-input.ts'
import type { AlertsContext } from '../context.ts'
import { invalidSilence, recurringSilenceNotFound, silenceLimitExceeded } from '../errors.ts'
import { findOccurrences } from '../recurrence/occurrences.ts'
import {
  findRecurringSilences,
  maxRecurringSilences,
  recurringSilenceCollection,
  type StoredRecurringSilence,
} from '../recurrence/recurring-silence.ts'
import { timeIntervalsInput, toStored } from '../recurrence/time-interval-input.ts'
import { checkSilence } from '../silence/silence.ts'
import { matcherInput } from '../silence/silence-input.ts'
import type * as wire from '../wire/types.generated.ts'
import { endMadeSilences } from './end-made-silences.ts'
import { knownIntervals, type ListedRecurringSilence, toListed } from './list-recurring-silences.ts'
import { makeSilences, type PlannedSilence, planSilence } from './make-silences.ts'
import { checkSilenceAccess } from './silence-access.ts'
import { checkMatcherCount, checkSilenceCount, checkSilenceSize } from './silence-limits.ts'

/** A silence that is created again and again, or with an `id` a change of it. */
export type RecurringSilenceInput = FromCode<wire.PostableRecurringSilence>

const recurringSilenceInput = exactly<wire.PostableRecurringSilence>({
  id: optional(recordId),
  matchers: listOf(matcherInput),
  timeIntervals: timeIntervalsInput,
  createdBy: anyText,
  comment: anyText,
  annotations: optional(labelsInput),
})

/**
 * Creates a silence that recurs. `startMaintenance()` creates an ordinary silence for every occurrence, a day before it begins; so
 * every client sees it, and may end it or change it. With an `id` it changes a recurring silence instead, and ends the silences of
 * its present and next occurrence; new ones take their places in the same commit.
 *
 * @param caller the user to act for: must be allowed to create such a silence, and becomes `createdBy`.
 * @throws {GatehouseError} `InvalidInput`; `InvalidSilence` if it is no valid silence, or never occurs in the next five years;
 * `SilenceLimitExceeded` if there are 1,000 already, or if there is no room for the silences that replace others;
 * `RecurringSilenceNotFound`; `NotAuthenticated` and `NotAllowed` for a caller.
 * @example
 * await createRecurringSilence(alerts, {
 *   matchers: [{ name: 'job', value: 'backup', isRegex: false }],
 *   timeIntervals: [
 *     { weekdays: ['sunday'], times: [{ startTime: '02:00', endTime: '04:00' }], location: 'Europe/Berlin' },
 *   ],
 *   createdBy: 'maya',
 *   comment: 'the disks are busy during the weekly backup',
 * })
 */
export async function createRecurringSilence(
  alerts: AlertsContext,
  recurringSilence: RecurringSilenceInput,
  caller?: Caller,
): Promise<ListedRecurringSilence> {
  const given = decodeInput('recurringSilence', recurringSilenceInput, recurringSilence)
  const { clock, ids, options, storage } = alerts
  const now = clock.now()
  const createdBy = nameOf(caller) ?? given.createdBy
  const sample = { ...given, createdBy, startsAt: now, endsAt: now + 1 }
  checkMatcherCount(given.matchers, options)
  await inSlices(checkSilence(sample, now, options.labelNames))
  const intervals = knownIntervals(alerts, given.timeIntervals)
  const [next] = await inSlices(findOccurrences(intervals, now, 1))
  if (next === undefined) throw invalidSilence('it does not occur in the next five years')
  const value: StoredRecurringSilence = {
    matchers: given.matchers.map(({ name, value, isRegex, isEqual = true }) => ({
      name,
      value,
      isRegex,
      isEqual,
    })),
    timeIntervals: toStored(given.timeIntervals),
    createdBy,
    comment: given.comment,
    ...(given.annotations === undefined ? {} : { annotations: given.annotations }),
    createdAt: now,
    madeUntil: now,
    silences: [],
  }
  const silence = { ...value, startsAt: now, endsAt: now, updatedAt: now }
  await checkSilenceAccess(alerts, caller, { id: undefined, value: silence })
  const id = given.id ?? ids.ordered()
  checkSilenceSize(id, silence, options)
  await (given.id === undefined ? add(alerts, id, value) : replace(alerts, id, value, caller))
  await makeSilences(alerts)
  const made = await recurringSilenceCollection.get(storage, id)
  return toListed(id, made?.value ?? value, { now, next })
}

async function add(
  { storage }: AlertsContext,
  id: string,
  value: StoredRecurringSilence,
): Promise<void> {
  const stored = await findRecurringSilences(storage)
  if (stored.length >= maxRecurringSilences) {
    throw silenceLimitExceeded(
      `exceeded maximum number of recurring silences: ${stored.length} (limit: ${maxRecurringSilences})`,
    )
  }
  await storage.commit([recurringSilenceCollection.write(id, value, { if: 'absent' })])
}

async function replace(
  alerts: AlertsContext,
  id: string,
  value: StoredRecurringSilence,
  caller: Caller | undefined,
): Promise<void> {
  const { board, storage, dispatch } = alerts
  const ended = await retryOnConflict(async () => {
    const now = await board.catchUp()
    const stored = await recurringSilenceCollection.get(storage, id)
    if (stored === undefined) throw recurringSilenceNotFound(id)
    const { createdAt, matchers, createdBy, comment } = stored.value
    const before = { matchers, createdBy, comment, startsAt: now, endsAt: now, updatedAt: now }
    await checkSilenceAccess(alerts, caller, { id, value: before })
    const made = await endMadeSilences(alerts, stored.value, { now, by: nameOf(caller) })
    const { replacements, recurring } = await planReplacements(
      alerts,
      { ...value, createdAt, madeUntil: now },
      { now, most: made.writes.length },
    )
    await storage.commit([
      recurringSilenceCollection.write(id, recurring, { if: stored.version }),
      ...made.writes,
      ...replacements.map(({ write }) => write),
    ])
    return { changes: [...replacements.map(({ change }) => change), ...made.changes], now }
  })
  for (const change of ended.changes) dispatch.silenceChanged(change, ended.now)
}

/**
 * Plans the silences that take the places of those that end. They are committed with the change: if a limit refuses them, the
 * silences before must stay.
 */
async function planReplacements(
  alerts: AlertsContext,
  value: StoredRecurringSilence,
  { now, most }: { readonly now: Instant; readonly most: number },
): Promise<{
  readonly replacements: readonly PlannedSilence[]
  readonly recurring: StoredRecurringSilence
}> {
  const replacements: PlannedSilence[] = []
  let recurring = value
  while (replacements.length < most) {
    const next = await planSilence(alerts, recurring, now)
    if (next === undefined) break
    replacements.push(next)
    recurring = next.recurring
  }
  if (replacements.length > 0) checkSilenceCount(alerts, replacements.length)
  return { replacements, recurring }
}
