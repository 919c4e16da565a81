import { plainAddress } from '../../http/ip-address.ts'
import { decodeInput, rawText } from '../../input/decode.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import { type SessionRecord, sessionCollection } from '../accounts/session-record.ts'
import type { AuthContext } from '../context.ts'
import { commitWithEvents, hostEvent } from '../events/outbox.ts'
import { sessionExpiry } from '../flow/session/session.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { requestContext } from '../flows/operation-input.ts'
import { findSessionById } from '../sessions/find-session.ts'
import { type RefreshToken, readRefreshToken, worthOf } from '../signing/refresh-token.ts'
import { invalidToken, issuerOf, type TokenSet, tokenSet } from './token-set.ts'

/**
 * New tokens for a refresh token, which is used up by it. The one before may be sent again for a few seconds, and gets the same
 * new refresh token: the answer was lost, or two requests raced. Later it is a copy in foreign hands. Which of the two
 * holders is the app cannot be told, so the session ends.
 *
 * @throws {GatehouseError} `TokensDisabled`; `InvalidToken`
 * @see RFC 9700, section 4.14.2
 */
export async function refreshTokens(
  auth: AuthContext,
  refreshToken: string,
  given: RequestContext = {},
): Promise<TokenSet> {
  const token = decodeInput('refreshToken', rawText, refreshToken)
  const context = decodeInput('context', requestContext, given)
  issuerOf(auth)
  const parts = readRefreshToken(auth.secrets, token)
  if (parts === undefined) throw invalidToken()
  const stored = await retryOnConflict(() => rotate(auth, parts, context))
  if (stored === undefined) throw invalidToken()
  const generation = stored.grants?.[parts.grant]?.generation ?? parts.generation
  return tokenSet(auth, stored, { ...parts, generation })
}

/** The session with the grant moved on; `undefined` if the token is worth nothing. */
async function rotate(
  auth: AuthContext,
  parts: RefreshToken,
  { ip, userAgent }: RequestContext,
): Promise<SessionRecord | undefined> {
  const { tokens } = issuerOf(auth)
  const now = auth.clock.now()
  const found = await findSessionById(auth, parts.sessionId, now)
  if (found === undefined) return undefined
  const grant = found.value.grants?.[parts.grant]
  const leewayMs = tokens.refresh_token_leeway_seconds * 1_000
  const worth = worthOf(parts, grant, { now, leewayMs })
  if (worth === 'reused') await endReused(auth, found)
  if (worth === 'again') return found.value
  if (worth !== 'new' || grant === undefined) return undefined
  const next = {
    generation: grant.generation + 1,
    rotated_at: now,
    expires_at: now + tokens.refresh_token_lifetime_seconds * 1_000,
  }
  const record: SessionRecord = {
    ...found.value,
    last_accessed_at: now,
    last_accessed_ip: ip === undefined ? found.value.last_accessed_ip : plainAddress(ip),
    last_accessed_user_agent: userAgent ?? found.value.last_accessed_user_agent,
    grants: { ...found.value.grants, [parts.grant]: next },
  }
  const expiresAt = sessionExpiry(record, auth.config.current)
  await auth.storage.commit([
    sessionCollection.write(found.id, record, { if: found.version, expiresAt }),
  ])
  return record
}

/** Ends a session of which a token was copied. */
async function endReused(
  auth: AuthContext,
  { id, version, value }: TypedRecord<SessionRecord>,
): Promise<void> {
  const { user_id: userId } = value
  const payload = {
    user: { id: userId },
    sessions: [{ id }],
    termination_type: 'refresh_token_reused',
  }
  const event = hostEvent(auth, 'user.session.terminated', payload, userId, 'system')
  await commitWithEvents(auth, [sessionCollection.remove(id, version)], [event])
  auth.counters.sessionsEnded(1)
  auth.logger.warn(
    { session_id: id, user_id: userId },
    'a refresh token was used again: its session was ended',
  )
}

/**
 * Ends the session of a refresh token, also one that was used up: a user who signs out of an app expects nothing to be left of it.
 * Does nothing for a token that is not valid.
 *
 * @throws {GatehouseError} `TokensDisabled`
 * @see RFC 7009, section 2.1
 */
export async function revokeTokens(auth: AuthContext, refreshToken: string): Promise<void> {
  const token = decodeInput('refreshToken', rawText, refreshToken)
  issuerOf(auth)
  const parts = readRefreshToken(auth.secrets, token)
  if (parts === undefined) return
  await retryOnConflict(async () => {
    const found = await sessionCollection.get(auth.storage, parts.sessionId)
    if (found?.value.grants?.[parts.grant] === undefined) return
    const { user_id: userId } = found.value
    const payload = { user: { id: userId }, session: { id: found.id } }
    const event = hostEvent(auth, 'user.signed_out', payload, userId)
    await commitWithEvents(auth, [sessionCollection.remove(found.id, found.version)], [event])
    auth.counters.sessionsEnded(1)
  })
}
