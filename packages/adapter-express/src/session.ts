import type { AuthContext, Session } from '@gatehouse/core/auth'
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

/** Options of {@link requireSession}. */
export interface RequireSessionOptions {
  /** Answers requests without a session (default: 401 with a JSON error). A page may redirect to its sign-in page. */
  refuse?: ((request: Request, response: Response) => void | Promise<void>) | undefined
}

/**
 * A middleware that admits signed-in users: `response.locals.session` is their session. (`request.session` belongs to
 * `express-session`, which may serve the same app.)
 */
export function requireSession(
  auth: AuthContext,
  { refuse = sayWhy }: RequireSessionOptions = {},
): LocalsHandler<{ session: Session }> {
  return (request, response, next) => {
    sessionOf(auth, request)
      .then((session) => {
        if (session === undefined) return refuse(request as Request, response as Response)
        response.locals.session = session
        next()
      })
      .catch(next)
  }
}

/** A middleware that looks up who is signed in, and lets every request pass: `response.locals.session` is the session, or `undefined`. */
export function optionalSession(
  auth: AuthContext,
): LocalsHandler<{ session: Session | undefined }> {
  return (request, response, next) => {
    sessionOf(auth, request)
      .then((session) => {
        response.locals.session = session
        next()
      })
      .catch(next)
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

function sayWhy(_request: Request, response: Response): void {
  response.status(401).json({ error: 'sign in first' })
}
