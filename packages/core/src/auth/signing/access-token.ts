import type { Instant } from '../../time/clock.ts'
import { accessTokenType, readAccessToken } from '../access-tokens/access-token.ts'
import type { LoadedAuthConfig, TokensConfig } from '../config/config.ts'
import { isSignedByOne } from '../external-jwt/jwt-signature.ts'
import type { Session } from '../flow/session/session.ts'
import { currentSigningKey, publicKeys, type SigningPorts } from './signing-keys.ts'
import { tokenRing } from './token-ring.ts'

const algorithm = 'ES256'

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A configuration with tokens. */
export interface TokenIssuer extends Pick<LoadedAuthConfig, 'http'> {
  readonly tokens: TokensConfig
}

/** How long an access token made now is valid. It does not outlive its session: others verify it without asking. */
export const accessTokenSeconds = (
  { access_token_lifetime_seconds: seconds }: TokensConfig,
  { expires_at: end }: Pick<Session, 'expires_at'>,
  now: Instant,
): number => Math.min(seconds, Math.floor((end - now) / 1_000))

/** A signed access token of a session. @see RFC 9068, section 2.2 */
export async function signAccessToken(
  ports: SigningPorts,
  { http, tokens: settings }: TokenIssuer,
  session: Session,
): Promise<string> {
  const { clock, ids } = ports
  const now = Math.floor(clock.now() / 1_000)
  const lifetime = accessTokenSeconds(settings, session, clock.now())
  const { impersonated_by: operator } = session
  const { kid, privateKey } = await currentSigningKey(ports, tokenRing(settings))
  const { audience } = settings
  const claims = {
    iss: http.public_origin,
    aud: audience.length === 1 ? audience[0] : audience,
    sub: session.user_id,
    sid: session.id,
    ...(session.client_id === null ? {} : { client_id: session.client_id }),
    iat: now,
    exp: now + lifetime,
    jti: ids.random(),
    // Nobody has authenticated in a session in which an operator acts as the user.
    ...(operator === undefined ? { auth_time: Math.floor(session.authenticated_at / 1_000) } : {}),
    amr: session.amr,
    acr: `aal${session.aal}`,
    // @see RFC 8693, section 4.1
    ...(operator === undefined ? {} : { act: { sub: operator } }),
  }
  const signed = `${encode({ alg: algorithm, typ: accessTokenType, kid })}.${encode(claims)}`
  const parameters = { name: 'ECDSA', hash: 'SHA-256' }
  const bytes = Buffer.from(signed)
  const signature = await globalThis.crypto.subtle.sign(parameters, privateKey, bytes)
  return `${signed}.${Buffer.from(signature).toString('base64url')}`
}

/** Whose token it is. */
export interface TokenSubject {
  readonly sub: string
  readonly sid: string
}

/**
 * The user and session of an access token; `undefined` if it is not one of this service, for one of its audiences, and valid now.
 * Does not say whether the session still exists.
 */
export async function verifyAccessToken(
  ports: Pick<SigningPorts, 'storage' | 'clock'>,
  { http, tokens: settings }: TokenIssuer,
  token: string,
): Promise<TokenSubject | undefined> {
  const { jwt, claims } = readAccessToken(token, {
    issuer: http.public_origin,
    audience: settings.audience,
    now: ports.clock.now(),
    skewSeconds: 0,
  })
  if (jwt === undefined) return undefined
  const keys = await publicKeys(ports, tokenRing(settings))
  const key = keys.find(({ kid }) => kid === jwt.header.kid)
  if (key === undefined || !(await isSignedByOne(jwt, [{ ...key }]))) return undefined
  const { sub, sid } = claims
  return typeof sid === 'string' ? { sub, sid } : undefined
}
