import type {
  AccessTokenSession,
  AdmitAccessTokenOptions,
  AdmitApiKeyOptions,
  AdmitRequestOptions,
  ApiKeySession,
  AuthContext,
  Refusal,
  Session,
  TokenRequest,
} from '@gatehouse/core/auth'
import type { Request, RequestHandler, Response } from 'express'

/** Loaded when it is needed, because most of the service comes with it. */
const operations = () => import('@gatehouse/core/auth')

/** A middleware after which `response.locals` has these members; handlers after it in the same route know their types. */
export type LocalsHandler<Locals extends Record<string, unknown>> = RequestHandler<
  Request['params'],
  unknown,
  unknown,
  Request['query'],
  Locals
>

/** Options of {@link requireSession}: what the session must be like, and where people sign in. */
export interface RequireSessionOptions extends AdmitRequestOptions {
  /**
   * Answers requests that are not admitted (default: a page leads to `signIn` and back, anything else gets 401 or 403 with an
   * error in JSON).
   */
  readonly refuse?:
    | ((request: Request, response: Response, refusal: Refusal) => void | Promise<void>)
    | undefined
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
 * A middleware that admits signed-in users: `response.locals.session` is their session. With `apiKeyScopes` it admits API keys that
 * have these scopes too, and `response.locals.session` may be an `ApiKeySession`. With `accessTokens` it admits access tokens, and
 * `response.locals.session` may be an `AccessTokenSession`. (`request.session` belongs to
 * `express-session`, which may serve the same app.)
 *
 * @example
 * app.use('/admin', requireSession(auth, { roles: ['admin'], aal: 2, maxAgeMs: 3_600_000 }))
 */
export function requireSession(
  auth: AuthContext,
  options: RequireAccessTokenOptions,
): LocalsHandler<{ session: Session | ApiKeySession | AccessTokenSession }>
export function requireSession(
  auth: AuthContext,
  options: RequireApiKeyOptions,
): LocalsHandler<{ session: Session | ApiKeySession }>
export function requireSession(
  auth: AuthContext,
  options?: RequireSessionOptions,
): LocalsHandler<{ session: Session }>
export function requireSession(
  auth: AuthContext,
  {
    refuse = sendAnswer,
    ...options
  }: RequireSessionOptions | RequireApiKeyOptions | RequireAccessTokenOptions = {},
): LocalsHandler<{ session: Session | ApiKeySession | AccessTokenSession }> {
  const admit = async (request: Request, response: Response): Promise<boolean> => {
    const { admitRequest } = await operations()
    const asked = { ...askedOf(request), ip: request.ip }
    const { session, refusal } = await admitRequest(auth, asked, options)
    if (refusal !== undefined) await refuse(request, response, refusal)
    else response.locals.session = session
    return refusal === undefined
  }
  return (request, response, next) => {
    admit(request as Request, response as Response).then((isAdmitted) => isAdmitted && next(), next)
  }
}

/** A middleware that looks up who is signed in, and lets every request pass: `response.locals.session` is the session, or `undefined`. */
export function optionalSession(
  auth: AuthContext,
): LocalsHandler<{ session: Session | undefined }> {
  return (request, response, next) => {
    sessionOf(auth, request).then((session) => {
      response.locals.session = session
      next()
    }, next)
  }
}

/**
 * Ends the session of a request, if it has one, and has the browser forget its cookies. Call it from a POST route: links must not
 * sign people out.
 */
export async function signOut(
  auth: AuthContext,
  request: Pick<Request, 'get'>,
  response: Pick<Response, 'append'>,
): Promise<void> {
  const { formatSetCookie, logout } = await operations()
  for (const cookie of await logout(auth, { headers: headersOf(request) })) {
    response.append('Set-Cookie', formatSetCookie(cookie))
  }
}

async function sessionOf(
  auth: AuthContext,
  request: Pick<Request, 'get'>,
): Promise<Session | undefined> {
  const { resolveSession } = await operations()
  return resolveSession(auth, { headers: headersOf(request) })
}

const headersOf = (request: Pick<Request, 'get'>) => ({
  get: (name: string): string | null => request.get(name) ?? null,
})

/** A request as the service reads it. */
export function askedOf(request: Request): TokenRequest {
  const { method, protocol, originalUrl } = request
  const url = `${protocol}://${request.get('host') ?? 'localhost'}${originalUrl}`
  return { method, url, headers: headersOf(request) }
}

/** Sends the answer of a refusal. */
export function sendAnswer(
  _request: Request,
  response: Response,
  { answer }: Pick<Refusal, 'answer'>,
): void {
  response.status(answer.status).set(answer.headers).end(answer.body)
}
