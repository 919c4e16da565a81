import { decodeInput } from '../../input/decode.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import { type Grant, type SessionRecord, sessionCollection } from '../accounts/session-record.ts'
import type { AuthContext } from '../context.ts'
import { type Session, sessionExpiry } from '../flow/session/session.ts'
import { findSessionById } from '../sessions/find-session.ts'
import { sessionInput } from '../sessions/session-input.ts'
import { invalidToken, issuerOf, type TokenSet, tokenSet } from './token-set.ts'

/** One for each app that shares the session. More drop the one that was used longest ago. */
const maxGrants = 8

/**
 * Tokens for a session, beside its cookie: for a native app, or to call other services. They end with the session.
 *
 * @throws {GatehouseError} `TokensDisabled` without the section `tokens`; `InvalidToken` if the session has ended.
 * @example
 * const session = await resolveSession(auth, request)
 * if (session !== undefined) console.log(await issueTokens(auth, session))
 */
export async function issueTokens(auth: AuthContext, of: Session): Promise<TokenSet> {
  const { id: sessionId, user_id: userId } = decodeInput('session', sessionInput, of)
  const { tokens } = issuerOf(auth)
  const grant = auth.ids.random()
  const stored = await retryOnConflict(async () => {
    const now = auth.clock.now()
    const found = await findSessionById(auth, sessionId, now)
    if (found?.value.user_id !== userId) throw invalidToken()
    const made = {
      generation: 1,
      rotated_at: now,
      expires_at: now + tokens.refresh_token_lifetime_seconds * 1_000,
    }
    const grants = { ...newestOf(found.value.grants, now), [grant]: made }
    const record: SessionRecord = { ...found.value, grants }
    const expiresAt = sessionExpiry(record, auth.config.current)
    await auth.storage.commit([
      sessionCollection.write(found.id, record, { if: found.version, expiresAt }),
    ])
    return record
  })
  return tokenSet(auth, stored, { sessionId, grant, generation: 1 })
}

/** The grants that are kept beside a new one. */
function newestOf(
  grants: SessionRecord['grants'] = {},
  now: number,
): { readonly [id: string]: Grant } {
  const valid = Object.entries(grants).filter(([, { expires_at }]) => expires_at > now)
  const byUse = valid.sort(([, a], [, b]) => b.rotated_at - a.rotated_at)
  return Object.fromEntries(byUse.slice(0, maxGrants - 1))
}
