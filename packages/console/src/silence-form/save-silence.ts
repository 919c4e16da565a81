import type { Matcher, TimeInterval } from '@gatehouse/client'
import { client } from '../data/services.ts'
import type { SilenceDraft } from './silence-draft.ts'

/** A silence as the form has it. */
interface WrittenSilence {
  readonly matchers: readonly Matcher[]
  readonly createdBy: string
  readonly comment: string
}

/** A silence that holds once. */
interface WrittenTimes {
  /** Instants in ms. */
  readonly startsAt: number
  readonly endsAt: number
  readonly untilResolved: boolean
  readonly remindBeforeMs: number
}

/** Saves a silence. @returns its id, and what takes it back. */
export async function saveSilence(
  initial: SilenceDraft,
  silence: WrittenSilence,
  { startsAt, endsAt, untilResolved, remindBeforeMs }: WrittenTimes,
): Promise<Saved> {
  const { id: before, annotations } = initial
  const id = await client.silences.create({
    ...(before !== undefined && { id: before }),
    ...(annotations && { annotations }),
    ...silence,
    startsAt: new Date(startsAt).toISOString(),
    endsAt: new Date(endsAt).toISOString(),
    ...(untilResolved && { untilResolved }),
    ...(remindBeforeMs > 0 && { remindBeforeMs }),
  })
  if (before === undefined) return { id, undo: () => client.silences.expire(id) }
  return { id, undo: () => restore(id, initial) }
}

/** What was saved, and how to take it back. */
interface Saved {
  readonly id: string
  undo(): Promise<unknown>
}

/** Makes a silence as it was before it was changed. */
function restore(id: string, initial: SilenceDraft): Promise<string> {
  const { chosen: _, leftOut: _left, text: _text, hasStarted: _started, ...rest } = initial
  const { startsAt = Date.now(), endsAt = startsAt, createdBy = '', comment = '' } = initial
  return client.silences.create({
    ...rest,
    id,
    createdBy,
    comment,
    startsAt: new Date(startsAt).toISOString(),
    endsAt: new Date(endsAt).toISOString(),
  })
}

/** Saves a silence that recurs. */
export async function saveRecurring(
  { recurring: before, annotations, ...initial }: SilenceDraft,
  silence: WrittenSilence,
  timeIntervals: readonly TimeInterval[],
): Promise<Saved> {
  const same = annotations && { annotations }
  const { id } = await client.silences.recurring.create({
    ...(before && { id: before.id }),
    ...silence,
    ...same,
    timeIntervals,
  })
  const { matchers, createdBy = '', comment = '' } = initial
  return {
    id,
    undo: () =>
      before === undefined
        ? client.silences.recurring.delete(id)
        : client.silences.recurring.create({
            id: before.id,
            timeIntervals: before.timeIntervals,
            ...same,
            matchers,
            createdBy,
            comment,
          }),
  }
}
