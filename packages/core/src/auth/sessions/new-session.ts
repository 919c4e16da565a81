import { sha256Hex } from '../../crypto/crypto.ts'
import type { Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { SessionRecord } from '../accounts/session-record.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import type { AuthContext } from '../context.ts'
import type { AmrTimes, FactorTimes } from '../flow/session/amr.ts'
import { sessionExpiry } from '../flow/session/session.ts'
import { createSessionToken } from '../secrets/tokens.ts'

/** The user, client and authentication a session begins with. */
export interface SessionOrigin {
  readonly userId: string
  readonly clientId: string | null
  readonly ip: string | null
  readonly userAgent: string | null
  readonly amrAt: AmrTimes
  readonly isUserVerified: boolean
  /** Default: unknown. */
  readonly factors?: FactorTimes
  /** Default: unknown. @see `SessionRecord` */
  readonly own?: readonly string[]
  readonly now: Instant
  /** Default: the user. @see `SessionRecord` */
  readonly impersonated?: Required<Pick<SessionRecord, 'impersonated_by' | 'ends_at'>>
  /** Default: a new one. */
  readonly id?: string
  readonly token?: string
}

/** A new session, for a commit to open. */
export interface NewSession {
  readonly id: string
  readonly token: string
  readonly record: SessionRecord
  readonly write: Write
}

/** Creates a session and its write; storing it opens the session. */
export function newSession(
  auth: Pick<AuthContext, 'ids' | 'random' | 'config'>,
  origin: SessionOrigin,
): NewSession {
  const { id = auth.ids.random(), now, amrAt, factors, own } = origin
  const { token = createSessionToken(id, auth.random) } = origin
  const record: SessionRecord = {
    user_id: origin.userId,
    client_id: origin.clientId,
    token_hash: sha256Hex(token),
    created_at: now,
    authenticated_at: now,
    last_accessed_at: now,
    last_accessed_ip: origin.ip,
    last_accessed_user_agent: origin.userAgent,
    amr: Object.keys(amrAt).sort(),
    amr_at: amrAt,
    ...(origin.isUserVerified ? { user_verified: true } : {}),
    ...(factors === undefined ? {} : { factors }),
    ...(own === undefined ? {} : { own }),
    ...origin.impersonated,
  }
  const expiresAt = sessionExpiry(record, auth.config.current)
  return {
    id,
    token,
    record,
    write: sessionCollection.write(id, record, { expiresAt, if: 'absent' }),
  }
}
