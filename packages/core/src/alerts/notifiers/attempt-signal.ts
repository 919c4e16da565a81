import { type AbortSignalLike, toAbortSignal } from '../../abort-signal.ts'

/** The longest time that a timer of the platform can wait: 24 days. */
const longestTimeoutMs = 2 ** 31 - 1

/** Ends one attempt: when its notification is ended, or after `timeoutMs`, where 0 means that it has no limit of its own. */
export function attemptSignal(signal: AbortSignalLike, timeoutMs: number): AbortSignalLike {
  if (timeoutMs === 0) return signal
  const limitMs = Math.min(Math.ceil(timeoutMs), longestTimeoutMs)
  return AbortSignal.any([toAbortSignal(signal), AbortSignal.timeout(limitMs)])
}
