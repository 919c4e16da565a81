import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import type { Session } from '../flow/session/session.ts'
import { requireFresh } from '../sessions/require-fresh.ts'

/** How recent the authentication must be for a change of how a user signs in. */
export interface FreshOptions {
  /**
   * How long after an authentication the change is allowed, in ms (default ten minutes; `Number.POSITIVE_INFINITY` for as long as
   * the session lasts).
   */
  readonly freshForMs?: number
}

const defaultFreshForMs = 600_000

/**
 * Refuses what only the user may do, in a session in which an operator acts as the user.
 *
 * @throws {GatehouseError} `Impersonated`
 */
export function checkOwn({ impersonated_by: operator }: Pick<Session, 'impersonated_by'>): void {
  if (operator === undefined) return
  const message = 'an operator who acts as the user may not do this'
  throw authError('Forbidden', 'Impersonated', message)
}

/** Checks that the user is there. @throws {GatehouseError} `Impersonated`; `ReauthenticationRequired` */
export function checkFresh(
  auth: AuthContext,
  session: Session,
  { freshForMs = defaultFreshForMs }: FreshOptions,
): void {
  checkOwn(session)
  requireFresh(auth, session, { maxAgeMs: freshForMs })
}
