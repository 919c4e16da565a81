import type { AbortSignalLike } from '../../abort-signal.ts'
import type { Clock } from '../../clock.ts'
import type { Notification } from '../notification.ts'
import type { Notifier, NotifyResult } from '../notifier.ts'
import type { Activity } from './activity.ts'
import type { Cutoff } from './cutoff.ts'
import { pause } from './pause.ts'

/** How telling one integration ended. */
export interface Delivery {
  /** What came of the last attempt. */
  readonly result: NotifyResult
  readonly attempts: number
  /** How long all attempts took together, in ms. */
  readonly tookMs: number
  /** Whether it ended because it was told to, before it was sent or refused for good. */
  readonly wasCut: boolean
}

/** Options of {@link deliver}. */
export interface DeliverOptions {
  clock: Clock
  /** From 0 to below 1. */
  random: () => number
  /** Ends an attempt and all waiting. */
  end: Cutoff
  /** Ends the waiting between attempts alone: the one under way may come to its end. */
  patience: Cutoff
  activity: Pick<Activity, 'pause'>
  /** Told of each attempt. */
  onAttempt: (result: NotifyResult, tookMs: number) => void
}

/** Waits before the next attempt grow from the first to the longest, each up to half longer or shorter. */
const backoff = { firstMs: 500, factor: 1.5, longestMs: 60_000, spread: 0.5 }

/**
 * Tells an integration, again and again while that may help and time allows. What it throws is final: a template
 * that cannot be rendered, a file that cannot be read.
 *
 * @see Alertmanager, retry stage of the notification pipeline
 */
export async function deliver(
  notifier: Notifier,
  notification: Notification,
  options: DeliverOptions,
): Promise<Delivery> {
  const { clock, random, end, patience, activity, onAttempt } = options
  const waiting = { clock, activity, cutoffs: [end, patience] }
  let waitMs = backoff.firstMs
  let tookMs = 0
  for (let attempts = 1; ; attempts++) {
    const startedAt = clock.now()
    const result = await attemptOnce(notifier, notification, end.signal)
    const attemptMs = clock.now() - startedAt
    tookMs += attemptMs
    onAttempt(result, attemptMs)
    if (result.outcome !== 'retry') return { result, attempts, tookMs, wasCut: false }
    const spread = 1 - backoff.spread + 2 * backoff.spread * random()
    const pauseMs = Math.max(waitMs * spread, result.retryAfterMs ?? 0)
    if (!(await pause(pauseMs, waiting))) return { result, attempts, tookMs, wasCut: true }
    waitMs = Math.min(waitMs * backoff.factor, backoff.longestMs)
  }
}

/** Tells an integration once. What it throws is its failure. */
export async function attemptOnce(
  notifier: Notifier,
  notification: Notification,
  signal: AbortSignalLike,
): Promise<NotifyResult> {
  try {
    return await notifier.notify(notification, signal)
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return { outcome: 'failed', reason: 'other', detail }
  }
}
