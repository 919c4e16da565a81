import type { SessionRecord } from '../accounts/session-record.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { type Session, toSession } from '../flow/session/session.ts'
import { accessTokenSeconds, signAccessToken, type TokenIssuer } from '../signing/access-token.ts'
import { formatRefreshToken, type RefreshToken } from '../signing/refresh-token.ts'

/** What a program gets for a session. @see RFC 6749, section 5.1 */
export interface TokenSet {
  /** A JWT, signed with ES256. @see RFC 9068 */
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** In seconds. */
  readonly expires_in: number
  /** For the next set. It can be used once. */
  readonly refresh_token: string
  /** In seconds, unless the session ends before. */
  readonly refresh_token_expires_in: number
  readonly session: Session
}

/** The configuration of tokens. @throws {GatehouseError} `TokensDisabled` */
export function issuerOf({ config }: Pick<AuthContext, 'config'>): TokenIssuer {
  const { tokens, http } = config.current
  if (tokens === undefined) {
    throw authError('NotFound', 'TokensDisabled', 'the configuration has no section "tokens"')
  }
  return { tokens, http }
}

/** The token was not made here, has been used, or its session has ended. */
export const invalidToken = (): Error =>
  authError('Unauthorized', 'InvalidToken', 'the token is not valid, or its session has ended')

/** Signs the tokens of a session as stored. */
export async function tokenSet(
  auth: AuthContext,
  record: SessionRecord,
  refresh: RefreshToken,
): Promise<TokenSet> {
  const issuer = issuerOf(auth)
  const now = auth.clock.now()
  const session = toSession(refresh.sessionId, record, auth.config.current)
  const grantEnd = record.grants?.[refresh.grant]?.expires_at ?? now
  const end = Math.min(grantEnd, session.expires_at)
  return {
    access_token: await signAccessToken(auth, issuer, session),
    token_type: 'Bearer',
    expires_in: accessTokenSeconds(issuer.tokens, session, now),
    refresh_token: formatRefreshToken(auth.secrets, refresh),
    refresh_token_expires_in: Math.floor((end - now) / 1_000),
    session,
  }
}
