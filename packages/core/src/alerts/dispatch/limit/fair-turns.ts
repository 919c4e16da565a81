import {
  number,
  objectOf,
  oneOf,
  optional,
  type RecordCheck,
} from '../../../storage/record-check.ts'

/** What competes for a limit: notifications about one group, and summaries. */
export type Turn = 'group' | 'summary'

/** What waits for a limit. Without it, the group that happens to ask first after each refill would starve the others. */
export interface Waits {
  /** What was sent last. */
  readonly last?: Turn
  /** Present if a notification about a group waits: within how many ms its group asks again. */
  readonly group?: number
  /** The same for a summary. */
  readonly summary?: number
}

/** Checks stored {@link Waits}. */
export const storedWaits: RecordCheck = objectOf<Waits>({
  last: optional(oneOf<Turn>(['group', 'summary'])),
  group: optional(number),
  summary: optional(number),
})

const otherThan = (turn: Turn): Turn => (turn === 'group' ? 'summary' : 'group')

/**
 * Whether a notification must leave the turn to another: both kinds take turns, and reminders yield to both. A turn that is not
 * taken in time is free for all.
 *
 * @param freeMs how long the limit has allowed one more.
 */
export function mustYield(
  waits: Waits | undefined,
  { turn, isReminder, freeMs }: { turn: Turn; isReminder: boolean; freeMs: number },
): boolean {
  if (waits === undefined) return false
  const isAwaited = (one: Turn): boolean => freeMs <= (waits[one] ?? Number.NEGATIVE_INFINITY)
  const other = otherThan(turn)
  if (isReminder) return isAwaited(turn) || isAwaited(other)
  return waits.last === turn && isAwaited(other)
}

/** After a notification was refused. */
export const withWaiting = (waits: Waits | undefined, turn: Turn, askMs: number): Waits => {
  return { ...waits, [turn]: askMs }
}

/** After a notification was allowed. */
export function withTaken(waits: Waits | undefined, turn: Turn, freeMs: number): Waits {
  const other = otherThan(turn)
  const askMs = waits?.[other]
  return askMs === undefined || freeMs > askMs ? { last: turn } : { last: turn, [other]: askMs }
}
