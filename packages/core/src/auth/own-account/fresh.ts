import type { AuthContext } from '../context.ts'
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

/** @throws {GatehouseError} `ReauthenticationRequired` */
export function checkFresh(
  auth: AuthContext,
  session: Session,
  { freshForMs = defaultFreshForMs }: FreshOptions,
): void {
  requireFresh(auth, session, { maxAgeMs: freshForMs })
}
