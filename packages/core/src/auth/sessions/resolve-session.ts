import { isGatehouseError } from '../../errors.ts'
import { sessionCollection } from '../collections.ts'
import type { AuthContext } from '../context.ts'
import { parseCookies } from './cookies.ts'
import { findSession } from './find-session.ts'
import { accessNotedEveryMs, type Session, sessionExpiry, toSession } from './session.ts'

/** What says whose session a request belongs to: a standard `Request`, or a framework's headers. */
export interface SessionRequest {
  readonly headers: { get(name: string): string | null }
}

/** What is noted of the request that a session is resolved for. */
export interface ResolveSessionOptions {
  readonly ip?: string
  readonly userAgent?: string
}

/**
 * The session whose cookie a request carries; `undefined` if there is none, it has ended, or its user may not sign in. That it
 * was accessed is noted, at most once a minute.
 */
export async function resolveSession(
  auth: AuthContext,
  request: SessionRequest,
  options: ResolveSessionOptions = {},
): Promise<Session | undefined> {
  const name = `${auth.config.current.http.cookie_prefix}session`
  const token = parseCookies(request.headers.get('cookie') ?? '').get(name)
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
  const record = await findSession(auth, token, now)
  if (record === undefined) return undefined
  if (now - record.value.last_accessed_at < accessNotedEveryMs) {
    return toSession(record.id, record.value, config)
  }
  const { ip = null, userAgent = null } = options
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
    // Another request has noted it, or the session was ended meanwhile, which the next one sees.
    if (!isGatehouseError(error) || error.kind !== 'Conflict') throw error
  }
  return toSession(record.id, accessed, config)
}
