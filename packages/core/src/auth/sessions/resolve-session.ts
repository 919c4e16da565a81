import { isGatehouseError } from '../../errors.ts'
import { decodeInput, flag, objectOf, optional, rawText } from '../../input/decode.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import {
  type RequestWithHeaders,
  requestWithHeaders,
  type SentToken,
  sentToken,
} from '../access-tokens/token-request.ts'
import { type SessionRecord, sessionCollection } from '../accounts/session-record.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import type { AuthContext } from '../context.ts'
import type { ApiKeySession } from '../flow/session/api-key.ts'
import {
  accessNotedEveryMs,
  type Session,
  sessionExpiry,
  toSession,
} from '../flow/session/session.ts'
import { looksLikeApiKey } from '../secrets/api-key.ts'
import { verifyAccessToken } from '../signing/access-token.ts'
import { parseCookies } from './cookies.ts'
import { findSession, findSessionById } from './find-session.ts'
import { resolveApiKey } from './resolve-api-key.ts'

/** The headers of a request, which carry its session: a standard `Request`, or the headers of a framework. */
export type SessionRequest = RequestWithHeaders

/** Properties of the request, recorded with the access to the session. */
export interface ResolveSessionOptions {
  readonly ip?: string
  readonly userAgent?: string
}

/** Options for a route that takes API keys beside sessions. */
export interface ResolveWithApiKeysOptions extends ResolveSessionOptions {
  /** Whether the bearer token may be an API key (default: routes take none). Check its `scopes`. */
  readonly apiKeys: true
}

const decodeOptions = objectOf<ResolveSessionOptions & { readonly apiKeys?: boolean }>({
  apiKeys: optional(flag),
  ip: optional(rawText),
  userAgent: optional(rawText),
})

/**
 * The session of a request; `undefined` if there is none, it has ended, or its user may not sign in. It is that of the cookie, or,
 * where the configuration has `tokens`, that of a bearer token in `Authorization`: an access token, or the token of the session
 * itself. A bearer token that is not valid is not made up for by a cookie. Records the access, at most once a minute. With
 * `apiKeys: true` the bearer token may be an API key, which is an `ApiKeySession`.
 *
 * @throws {GatehouseError} `RateLimited` for a wrong API key from an address that has sent many.
 * @example
 * const session = await resolveSession(auth, request)
 * if (session === undefined) throw new Error('sign in first')
 */
export async function resolveSession(
  auth: AuthContext,
  request: SessionRequest,
  options: ResolveWithApiKeysOptions,
): Promise<Session | ApiKeySession | undefined>
export async function resolveSession(
  auth: AuthContext,
  request: SessionRequest,
  options?: ResolveSessionOptions,
): Promise<Session | undefined>
export async function resolveSession(
  auth: AuthContext,
  request: SessionRequest,
  options: ResolveSessionOptions | ResolveWithApiKeysOptions = {},
): Promise<Session | ApiKeySession | undefined> {
  const { headers } = decodeInput('request', requestWithHeaders, request)
  const config = auth.config.current
  const bearer = bearerOf({ headers })
  if (bearer !== undefined && config.api_keys !== undefined && looksLikeApiKey(bearer)) {
    const { apiKeys = false, ip = null } = decodeInput('options', decodeOptions, options)
    return apiKeys ? resolveApiKey(auth, bearer, ip) : undefined
  }
  if (bearer !== undefined && config.tokens) return resolveBearer(auth, bearer, options)
  const token = parseCookies(headers.get('cookie') ?? '').get(`${config.http.cookie_prefix}session`)
  return token === undefined ? undefined : resolveSessionToken(auth, token, options)
}

/** Whether a token in `Authorization` may be one of the service itself: of a session, or an API key. */
export const takesBearer = (
  { tokens, api_keys }: LoadedAuthConfig,
  { scheme, token }: SentToken,
): boolean =>
  scheme === 'bearer' &&
  (tokens !== undefined || (api_keys !== undefined && looksLikeApiKey(token)))

/** The bearer token of a request; `undefined` if it has none. */
function bearerOf(request: RequestWithHeaders): string | undefined {
  const sent = sentToken(request)
  return sent?.scheme === 'bearer' ? sent.token : undefined
}

async function resolveBearer(
  auth: AuthContext,
  token: string,
  options: ResolveSessionOptions,
): Promise<Session | undefined> {
  const { tokens, http } = auth.config.current
  if (tokens === undefined || token.split('.').length !== 3) {
    return resolveSessionToken(auth, token, options)
  }
  const subject = await verifyAccessToken(auth, { http, tokens }, token)
  const record = subject && (await findSessionById(auth, subject.sid, auth.clock.now()))
  if (record === undefined || record.value.user_id !== subject?.sub) return undefined
  return accessed(auth, record, options)
}

/** The session of a token; `undefined` if there is none, it has ended, or its user may not sign in. */
export async function resolveSessionToken(
  auth: AuthContext,
  token: string,
  options: ResolveSessionOptions = {},
): Promise<Session | undefined> {
  const given = decodeInput('token', rawText, token)
  const record = await findSession(auth, given, auth.clock.now())
  return record && accessed(auth, record, options)
}

/** The session of a record, with this access to it recorded. */
async function accessed(
  auth: AuthContext,
  record: TypedRecord<SessionRecord>,
  options: ResolveSessionOptions,
): Promise<Session> {
  const { storage } = auth
  const config = auth.config.current
  const now = auth.clock.now()
  const { ip = null, userAgent = null } = decodeInput('options', decodeOptions, options)
  if (now - record.value.last_accessed_at < accessNotedEveryMs) {
    return toSession(record.id, record.value, config)
  }
  const noted = {
    ...record.value,
    last_accessed_at: now,
    last_accessed_ip: ip ?? record.value.last_accessed_ip,
    last_accessed_user_agent: userAgent ?? record.value.last_accessed_user_agent,
  }
  const expiresAt = sessionExpiry(noted, config)
  try {
    await storage.commit([
      sessionCollection.write(record.id, noted, { if: record.version, expiresAt }),
    ])
  } catch (error) {
    // Another request has recorded an access, or the session was ended meanwhile; the next request will see that.
    if (!isGatehouseError(error) || error.kind !== 'Conflict') throw error
  }
  return toSession(record.id, noted, config)
}
