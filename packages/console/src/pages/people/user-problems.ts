import { isClientError } from '@gatehouse/client'

/** The places of a user's record that the server refused, as JSON pointers. */
export function causesOf(error: unknown): ReadonlySet<string> {
  const causes = isClientError(error, 'ValidationFailed') ? (error.info.causes ?? []) : []
  return new Set(causes.flatMap((cause) => ('location' in cause ? [cause.location] : [])))
}

/** Whether another user has the login ID. */
export function isTaken(error: unknown): boolean {
  if (!isClientError(error, 'InvariantViolated')) return false
  return error.info.cause?.kind === 'DuplicatedIdentity'
}
