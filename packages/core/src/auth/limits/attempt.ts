import { invalidCredentials } from '../errors.ts'
import type { Asking } from '../flow/asking.ts'
import type { FlowView } from '../flow/view.ts'
import type { BucketUse, LockoutMethod } from './limit-questions.ts'
import { ask } from './limit-questions.ts'

/** The check of a secret. */
export interface Attempt<T> {
  /** `undefined` before the user is known. */
  readonly user_id: string | undefined
  /** Spent before the check, refunded if the secret is right. */
  readonly uses: readonly BucketUse[]
  /** The lockout method that a failure counts for (default: failures do not count). */
  readonly method?: LockoutMethod
  /** A lock does not refuse it (default false): strangers may have caused the lock. A failure counts all the same. */
  readonly ignoresLock?: boolean
  /** The `AuthenticationType` of the error. */
  readonly type: string
  /** The event of a failure, such as `authentication.primary.password.failed`. */
  readonly event: string
  /** `undefined` if the secret is wrong. */
  check(): Asking<T | UsedBefore | undefined>
}

/** The answer of a check to a secret that was right once. It is refused like a wrong one, but is not a guess. */
export const usedBefore = 'used_before'
export type UsedBefore = typeof usedBefore

/**
 * Checks a secret in the order that keeps guessing expensive: first the rate limits, then the lockout, then the secret itself. A
 * failure is counted last. A code that was used before does not count at all: its owner may have sent it from several tabs.
 *
 * @throws {GatehouseError} `RateLimited`, `AccountLockout`, `InvalidCredentials`
 */
export function* attempt<T>(attempted: Attempt<T>): Asking<T> {
  const { uses, user_id, method, ignoresLock = false, type, event } = attempted
  const spent = yield* ask('spend', { uses })
  const counted = user_id !== undefined && method !== undefined ? { user_id, method } : undefined
  if (counted !== undefined && !ignoresLock) yield* ask('check_lockout', counted)
  const found = yield* attempted.check()
  if (found === undefined || found === usedBefore) {
    yield* ask('event', { type: event, payload: user_id === undefined ? {} : { user_id } })
    if (found === usedBefore) yield* ask('refund', { uses: spent })
    else if (counted !== undefined) yield* ask('count_failure', counted)
    throw invalidCredentials(type)
  }
  yield* ask('refund', { uses: spent, isProven: true })
  return found
}

/** Whether the flow has used an authentication, optionally with the given address or authenticator. */
export function isUsed(
  { state }: FlowView,
  authentication: string,
  which: { readonly id?: string; readonly target?: string } = {},
): boolean {
  return state.facts.some(
    (fact) =>
      fact.kind === 'authentication_used' &&
      fact.authentication === authentication &&
      (which.id === undefined || fact.authenticator_id === which.id) &&
      (which.target === undefined || fact.target === which.target),
  )
}
