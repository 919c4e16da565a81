import { toResponse } from '@gatehouse/core/adapter'
import type {
  AccessTokenSession,
  AdmitAccessTokenOptions,
  AdmitApiKeyOptions,
  AdmitRequestOptions,
  ApiKeySession,
  AuthContext,
  Refusal,
  Session,
} from '@gatehouse/core/auth'
import type { Context, MiddlewareHandler } from 'hono'
import { nodeClient } from './peer.ts'

/** Loaded when it is needed, because most of the service comes with it. */
const operations = () => import('@gatehouse/core/auth')

/** Options of {@link requireSession}: what the session must be like, and where people sign in. */
export interface RequireSessionOptions extends AdmitRequestOptions {
  /**
   * Answers requests that are not admitted (default: a page leads to `signIn` and back, anything else gets 401 or 403 with an
   * error in JSON).
   */
  readonly refuse?: ((c: Context, refusal: Refusal) => Response | Promise<Response>) | undefined
  /**
   * The address of the sender, by which wrong API keys are counted, such as what the app's proxy says (default: that of the
   * connection, if Node.js knows it).
   */
  readonly ipOf?: ((c: Context) => string | undefined) | undefined
}

/** Options of {@link requireSession} for a route that takes API keys too. */
export interface RequireApiKeyOptions
  extends RequireSessionOptions,
    Pick<AdmitApiKeyOptions, 'apiKeyScopes'> {}

/** Options of {@link requireSession} for a route that takes access tokens too, and perhaps API keys. */
export interface RequireAccessTokenOptions
  extends RequireSessionOptions,
    Pick<AdmitAccessTokenOptions, 'accessTokens' | 'apiKeyScopes'> {}

/**
 * A middleware that admits signed-in users: `c.get('session')` is their session. With `apiKeyScopes` it admits API keys that have
 * these scopes too, and `c.get('session')` may be an `ApiKeySession`. With `accessTokens` it admits access tokens, and
 * `c.get('session')` may be an `AccessTokenSession`.
 *
 * @example
 * app.get('/me', requireSession(auth), (c) => c.json(c.get('session').user_id))
 * app.use('/admin/*', requireSession(auth, { roles: ['admin'], aal: 2, maxAgeMs: 3_600_000 }))
 */
export function requireSession(
  auth: AuthContext,
  options: RequireAccessTokenOptions,
): MiddlewareHandler<{ Variables: { session: Session | ApiKeySession | AccessTokenSession } }>
export function requireSession(
  auth: AuthContext,
  options: RequireApiKeyOptions,
): MiddlewareHandler<{ Variables: { session: Session | ApiKeySession } }>
export function requireSession(
  auth: AuthContext,
  options?: RequireSessionOptions,
): MiddlewareHandler<{ Variables: { session: Session } }>
export function requireSession(
  auth: AuthContext,
  {
    refuse = answerOf,
    ipOf = (c) => nodeClient(c)?.address,
    ...options
  }: RequireSessionOptions | RequireApiKeyOptions | RequireAccessTokenOptions = {},
): MiddlewareHandler {
  return async (c, next) => {
    const { admitRequest } = await operations()
    const { method, url, headers } = c.req.raw
    const asked = { method, url, headers, ip: ipOf(c) }
    const { session, refusal } = await admitRequest(auth, asked, options)
    if (refusal !== undefined) return refuse(c, refusal)
    c.set('session', session)
    return next()
  }
}

/**
 * A middleware that looks up who is signed in, and lets every request pass: `c.get('session')` is the session, or `undefined`.
 *
 * @example
 * app.get('/', optionalSession(auth), (c) => c.text(c.get('session') === undefined ? 'hello' : 'welcome back'))
 */
export function optionalSession(
  auth: AuthContext,
): MiddlewareHandler<{ Variables: { session: Session | undefined } }> {
  return async (c, next) => {
    const { resolveSession } = await operations()
    c.set('session', await resolveSession(auth, c.req.raw))
    return next()
  }
}

/**
 * Ends the session of a request, if it has one, and has the browser forget its cookies. Call it from a POST route: links must not
 * sign people out.
 *
 * @example
 * app.post('/logout', async (c) => {
 *   await signOut(auth, c)
 *   return c.body(null, 204)
 * })
 */
export async function signOut(auth: AuthContext, c: Context): Promise<void> {
  const { formatSetCookie, logout } = await operations()
  for (const cookie of await logout(auth, c.req.raw)) {
    c.header('Set-Cookie', formatSetCookie(cookie), { append: true })
  }
}

const answerOf = (_c: Context, { answer }: Refusal): Response => toResponse(answer)
