import type { AbortSignalLike } from '../../../async/abort-signal.ts'
import type { Clock } from '../../../time/clock.ts'
import type { Notification } from '../../notification/notification.ts'
import type { Notifier, NotifyResult } from '../../receivers/notifier.ts'
import type { ClaimedFlush } from '../claim/claimed-flush.ts'
import type { Activity } from '../pace/activity.ts'
import type { Cutoff } from '../pace/cutoff.ts'
import { pause } from '../pace/pause.ts'

/** How telling one integration ended. */
export interface Delivery {
  /** What came of the last attempt. */
  readonly result: NotifyResult
  readonly attempts: number
  /** How long all attempts took together, in ms. */
  readonly tookMs: number
  /** Whether it ended because it was told to, before it was sent or refused for good. */
  readonly wasCut: boolean
  /** Whether it may have arrived although it was not confirmed. */
  readonly mayHaveArrived: boolean
  /** Whether it was sent, or may have been, when somebody else may have had the claim. */
  readonly isLate: boolean
}

/** Options of {@link deliver}. */
export interface DeliverOptions {
  clock: Clock
  /** What permits to send: it is asked before each attempt, which may come long after the one before. */
  claim: Pick<ClaimedFlush, 'hold' | 'isSure'>
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
  const { clock, claim, random, end, patience, activity, onAttempt } = options
  const cutoffs = [end, patience]
  let waitMs = backoff.firstMs
  let tookMs = 0
  let result: NotifyResult = notAttempted
  let mayHaveArrived = false
  let isLate = false
  for (let attempts = 0; ; ) {
    const isHeld = claim.isSure() || (await claim.hold(cutoffs))
    // Renewing a claim may take longer than there is time.
    if (!isHeld || end.isCut) {
      return { result, attempts, tookMs, wasCut: true, mayHaveArrived, isLate }
    }
    attempts++
    const startedAt = clock.monotonic()
    result = await attemptOnce(notifier, notification, end.signal)
    const attemptMs = clock.monotonic() - startedAt
    tookMs += attemptMs
    onAttempt(result, attemptMs)
    const isSent = result.outcome === 'sent'
    const hasArrived = isSent || (result.outcome !== 'sent' && result.mayHaveArrived === true)
    mayHaveArrived = !isSent && (mayHaveArrived || hasArrived)
    isLate ||= hasArrived && !claim.isSure()
    if (result.outcome !== 'retry') {
      return { result, attempts, tookMs, wasCut: false, mayHaveArrived, isLate }
    }
    const spread = 1 - backoff.spread + 2 * backoff.spread * random()
    const pauseMs = Math.max(waitMs * spread, result.retryAfterMs ?? 0)
    if (!(await pause(pauseMs, { clock, activity, cutoffs }))) {
      return { result, attempts, tookMs, wasCut: true, mayHaveArrived, isLate }
    }
    waitMs = Math.min(waitMs * backoff.factor, backoff.longestMs)
  }
}

/** What a delivery comes to that ended before its first attempt. */
const notAttempted: NotifyResult = {
  outcome: 'retry',
  reason: 'contextCanceled',
  detail: 'another process took the flush over, or it ended',
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
