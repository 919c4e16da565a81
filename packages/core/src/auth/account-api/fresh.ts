import type { AuthContext } from '../context.ts'
import type { Session } from '../flow/session/session.ts'
import { requireFresh } from '../sessions/require-fresh.ts'

/** When a change of how somebody signs in is let through. */
export interface FreshOptions {
  /**
   * For how long after a session's user has shown who they are, in ms (default ten minutes; `Number.POSITIVE_INFINITY` for as long as
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
