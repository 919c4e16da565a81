import { isGatehouseError } from '../../errors.ts'
import {
  type Decode,
  decodeInput,
  having,
  objectOf,
  optional,
  rawText,
} from '../../input/decode.ts'
import { refusalBelow, refuse } from '../../input/refusal.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import type { AuthContext } from '../context.ts'
import {
  accessNotedEveryMs,
  type Session,
  sessionExpiry,
  toSession,
} from '../flow/session/session.ts'
import { parseCookies } from './cookies.ts'
import { findSession } from './find-session.ts'

/** The headers of a request, which carry its session: a standard `Request`, or the headers of a framework. */
export interface SessionRequest {
  readonly headers: { get(name: string): string | null }
}

/** Properties of the request, recorded with the access to the session. */
export interface ResolveSessionOptions {
  readonly ip?: string
  readonly userAgent?: string
}

const headersOf = having<SessionRequest['headers']>('headers, as a Request has them', 'get')

/** A standard request has its headers behind a getter, so it is not a plain object. */
const sessionRequest: Decode<SessionRequest> = (value) => {
  if (typeof value !== 'object' || value === null) return refuse('a Request', value)
  try {
    return { headers: headersOf((value as Partial<SessionRequest>).headers) }
  } catch (error) {
    throw refusalBelow(error, 'headers')
  }
}

const decodeOptions = objectOf<ResolveSessionOptions>({
  ip: optional(rawText),
  userAgent: optional(rawText),
})

/**
 * The session whose cookie a request carries; `undefined` if there is none, it has ended, or its user may not sign in. Records
 * the access, at most once a minute.
 *
 * @example
 * const session = await resolveSession(auth, request)
 * if (session === undefined) throw new Error('sign in first')
 */
export async function resolveSession(
  auth: AuthContext,
  request: SessionRequest,
  options: ResolveSessionOptions = {},
): Promise<Session | undefined> {
  const { headers } = decodeInput('request', sessionRequest, request)
  const name = `${auth.config.current.http.cookie_prefix}session`
  const token = parseCookies(headers.get('cookie') ?? '').get(name)
  return token === undefined ? undefined : resolveSessionToken(auth, token, options)
}

/** The session of a token; `undefined` if there is none, it has ended, or its user may not sign in. */
export async function resolveSessionToken(
  auth: AuthContext,
  token: string,
  options: ResolveSessionOptions = {},
): Promise<Session | undefined> {
  const { storage } = auth
  const config = auth.config.current
  const now = auth.clock.now()
  const { ip = null, userAgent = null } = decodeInput('options', decodeOptions, options)
  const record = await findSession(auth, decodeInput('token', rawText, token), now)
  if (record === undefined) return undefined
  if (now - record.value.last_accessed_at < accessNotedEveryMs) {
    return toSession(record.id, record.value, config)
  }
  const accessed = {
    ...record.value,
    last_accessed_at: now,
    last_accessed_ip: ip ?? record.value.last_accessed_ip,
    last_accessed_user_agent: userAgent ?? record.value.last_accessed_user_agent,
  }
  const expiresAt = sessionExpiry(accessed, config)
  try {
    await storage.commit([
      sessionCollection.write(record.id, accessed, { if: record.version, expiresAt }),
    ])
  } catch (error) {
    // Another request has recorded an access, or the session was ended meanwhile; the next request will see that.
    if (!isGatehouseError(error) || error.kind !== 'Conflict') throw error
  }
  return toSession(record.id, accessed, config)
}
