import type { Clock } from '../../../time/clock.ts'
import type { Notification } from '../../notification/notification.ts'
import type { Notifier, NotifyResult } from '../../receivers/notifier.ts'
import type { ClaimedFlush } from '../claim/claimed-flush.ts'
import type { Activity } from '../pace/activity.ts'
import { pause } from '../pace/pause.ts'

/** The result of notifying one integration. */
export interface Delivery {
  /** The result of the last attempt. */
  readonly result: NotifyResult
  readonly attempts: number
  /** The duration of all attempts together, in ms. */
  readonly tookMs: number
  /** Whether it was cut off before it was sent or finally refused. */
  readonly wasCut: boolean
  /** Whether it may have arrived without a confirmation. */
  readonly mayHaveArrived: boolean
  /** Whether it was sent, or may have been, when another process may have held the claim. */
  readonly isLate: boolean
}

/** Options of {@link deliver}. */
export interface DeliverOptions {
  clock: Clock
  /** The claim that permits sending: checked before each attempt, which may come long after the previous one. */
  claim: Pick<ClaimedFlush, 'hold' | 'isSure'>
  /** From 0 to below 1. */
  random: () => number
  /** Ends an attempt and all waiting. */
  end: AbortSignal
  /** Ends only the backoff between attempts: a running attempt may finish. */
  patience: AbortSignal
  activity: Pick<Activity, 'pause'>
  /** Called after each attempt. */
  onAttempt: (result: NotifyResult, tookMs: number) => void
}

/** The backoff grows from the first to the longest delay, each with up to 50 % jitter. */
const backoff = { firstMs: 500, factor: 1.5, maxMs: 60_000, spread: 0.5 }

/**
 * Notifies an integration, with retries while they may help and time allows. An exception is final: a template that cannot be
 * rendered, a file that cannot be read.
 *
 * @see Alertmanager, retry stage of the notification pipeline
 */
export async function deliver(
  notifier: Notifier,
  notification: Notification,
  options: DeliverOptions,
): Promise<Delivery> {
  const { clock, claim, random, end, patience, activity, onAttempt } = options
  const signals = [end, patience]
  let waitMs = backoff.firstMs
  let tookMs = 0
  let result: NotifyResult = notAttempted
  let mayHaveArrived = false
  let isLate = false
  for (let attempts = 0; ; ) {
    const isHeld = claim.isSure() || (await claim.hold(signals))
    // Renewing a claim may take longer than the time that is left.
    if (!isHeld || end.aborted) {
      return { result, attempts, tookMs, wasCut: true, mayHaveArrived, isLate }
    }
    attempts++
    const startedAt = clock.monotonic()
    result = await attemptOnce(notifier, notification, end)
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
    if (!(await pause(pauseMs, { clock, activity, signals }))) {
      return { result, attempts, tookMs, wasCut: true, mayHaveArrived, isLate }
    }
    waitMs = Math.min(waitMs * backoff.factor, backoff.maxMs)
  }
}

/** The result of a delivery that ended before its first attempt. */
const notAttempted: NotifyResult = {
  outcome: 'retry',
  reason: 'contextCanceled',
  detail: 'another process took the flush over, or it ended',
}

/** Notifies an integration once. An exception is a failure. */
export async function attemptOnce(
  notifier: Notifier,
  notification: Notification,
  signal: AbortSignal,
): Promise<NotifyResult> {
  try {
    return await notifier.notify(notification, signal)
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return { outcome: 'failed', reason: 'other', detail }
  }
}
