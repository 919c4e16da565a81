import type { Webhook, WebhookLimits } from '../webhook.ts'

/** What the room for runs of a webhook depends on. */
export type RoomOfWebhook = Pick<Webhook, 'concurrency' | 'queue' | 'on_busy'>

/** A number of runs: of a webhook, or of the whole server. */
export interface RunCounts {
  readonly running: number
  readonly waiting: number
}

/** What a run finds when it enters. */
export interface Room {
  readonly webhook: RoomOfWebhook
  /** The runs of its webhook. */
  readonly own: RunCounts
  /** The runs of all webhooks. */
  readonly all: RunCounts
  readonly limits: Pick<WebhookLimits, 'concurrency' | 'queue'>
}

/** Whether a run starts, waits in the queue of its webhook, or is refused. */
export type Entry = 'placed' | 'waiting' | 'full'

/** Decides about a run that enters. Nobody passes those who wait. */
export function decideEntry(room: Room): Entry {
  const { webhook, own, all, limits } = room
  const isFree = own.waiting === 0 && hasPlace(webhook, own.running)
  if (isFree && all.running < limits.concurrency) return 'placed'
  return hasPlaceInLine(room) ? 'waiting' : 'full'
}

/**
 * Whether a webhook may have one run more.
 *
 * @param owned how many of its places this process has (default all); asked only if it matters.
 */
export const hasPlace = (
  { concurrency }: Pick<RoomOfWebhook, 'concurrency'>,
  running: number,
  owned: () => number = () => concurrency,
): boolean => concurrency === 0 || (running < concurrency && running < owned())

/** Whether there is room in the queues, counting the room of runs that the newest one replaces. */
export function hasPlaceInLine({ webhook, own, all, limits }: Room): boolean {
  if (webhook.on_busy === 'reject') return false
  const leaving = webhook.on_busy === 'latest' ? own.waiting : 0
  return own.waiting - leaving < webhook.queue && all.waiting - leaving < limits.queue
}
