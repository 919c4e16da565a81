import { decodeInput, rawText } from '../../input/decode.ts'
import { maxOfAKind } from '../accounts/accounts.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import type { AuthContext } from '../context.ts'
import { placeOf } from '../events/place-of.ts'
import { type Session, toSession } from '../flow/session/session.ts'

/** A session, and where it was last used. */
export interface PlacedSession extends Session {
  /** Where its last address is, as `geoIp` of `createAuth()` says. */
  readonly geo_location_code?: string
}

/** {@link listSessions} with their places. */
export async function listPlacedSessions(
  auth: AuthContext,
  userId: string,
): Promise<readonly PlacedSession[]> {
  const sessions = await listSessions(auth, userId)
  return sessions.map((one) => ({ ...one, ...placeOf(auth, one.last_accessed_ip) }))
}

/** The sessions of a user that have not ended, the newest first. */
export async function listSessions(auth: AuthContext, userId: string): Promise<readonly Session[]> {
  const equals = decodeInput('userId', rawText, userId)
  const query = { by: 'user_id', equals, limit: maxOfAKind } as const
  const found = await sessionCollection.find(auth.storage, query)
  return found
    .map(({ id, value }) => toSession(id, value, auth.config.current))
    .filter(({ expires_at }) => expires_at > auth.clock.now())
    .sort((a, b) => b.created_at - a.created_at)
}
