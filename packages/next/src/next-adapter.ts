import { fetchHandler, GatehouseError } from '@gatehouse/core'
import { type Route, toResponse } from '@gatehouse/core/adapter'
import {
  type AccessTokenSession,
  type AdmitAccessTokenOptions,
  type AdmitApiKeyOptions,
  type AdmitRequestOptions,
  type ApiKeySession,
  type AuthContext,
  admitRequest,
  logout,
  type Refusal,
  resolveSession,
  type Session,
} from '@gatehouse/core/auth'
import type { NextPlatform } from './platform.ts'

/** Options of `nextAdapter`. */
export interface NextAdapterOptions<Services extends object> {
  /**
   * Creates the services, with the auth service as `auth`. It is called with the first request, once in a process: Next.js loads
   * modules several times, for each bundle and after changes, and also when it builds.
   */
  readonly start: () => Services
  /** Returns the routes that `handlers` serve, such as `[...auth.routes, ...signInRoutes(auth), ...alerts.routes]`. */
  readonly routes: (services: Services) => readonly Route[]
  /** Tells the adapters of one app apart, if it has several (default `default`). */
  readonly name?: string | undefined
  /** The path that the routes are mounted at, such as `/auth` for `app/auth/[...path]/route.ts` (default: the root). */
  readonly basePath?: string | undefined
  /**
   * Addresses and prefixes of the proxies in front, whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted (default: this
   * machine, because Next.js writes the address of the connection to `X-Forwarded-For`).
   */
  readonly trustedProxies?: readonly string[] | undefined
}

/** Options of `requireSession`: what the session must be like, and where people sign in. */
export interface RequireSessionOptions extends AdmitRequestOptions {
  /** Where sign-in leads back to: a path with its query (default `/`). Next.js does not tell components their own address. */
  readonly returnTo?: string | undefined
  /**
   * Ends requests that are not admitted, by an exception such as that of `forbidden()` (default: without a session, or with one that
   * is too old or too weak, people are sent to sign in; without the role a `GatehouseError` is thrown, which `error.tsx` shows).
   */
  readonly refuse?: ((refusal: Refusal) => never) | undefined
}

/** A route handler of Next.js. */
export type NextHandler = (request: Request) => Promise<Response>

/** What `export const { GET, … } = …` of a route handler names. */
export interface NextHandlers {
  readonly DELETE: NextHandler
  readonly GET: NextHandler
  readonly HEAD: NextHandler
  readonly OPTIONS: NextHandler
  readonly PATCH: NextHandler
  readonly POST: NextHandler
  readonly PUT: NextHandler
}

type Handler<S, Context> = (
  request: Request,
  session: S,
  context: Context,
) => Response | Promise<Response>

type Wrapped<Context> = (request: Request, context: Context) => Promise<Response>

/**
 * Makes route handlers for signed-in users, with `apiKeyScopes` also for programs with an API key, and with `accessTokens` for clients
 * with an access token.
 */
export interface WithSession {
  <Context>(
    handler: Handler<Session | ApiKeySession | AccessTokenSession, Context>,
    options: AdmitAccessTokenOptions,
  ): Wrapped<Context>
  <Context>(
    handler: Handler<Session | ApiKeySession, Context>,
    options: AdmitApiKeyOptions,
  ): Wrapped<Context>
  <Context>(handler: Handler<Session, Context>, options?: AdmitRequestOptions): Wrapped<Context>
}

/** The services of an app in the places where it uses them. */
export interface NextServices<Services extends object> {
  /** Returns the services, for operations such as `listAlerts(services().alerts)`. Starts them if no request did. */
  readonly services: () => Services
  /** Uses these services from now on, in place of those of `start`. Tests pass services in memory. */
  readonly replaceServices: (services: Services) => void
  /** Serve the routes, in `app/[...path]/route.ts`. */
  readonly handlers: NextHandlers
}

/** The services of an app with sign-in, and the sessions of its users. */
export interface NextAdapter<Services extends object> extends NextServices<Services> {
  /** Who is signed in, for server components, server actions and route handlers; `undefined` if nobody is. */
  readonly currentSession: () => Promise<Session | undefined>
  /**
   * The session, for server components and server actions that only signed-in users may use. Others are sent to the sign-in page.
   *
   * @throws {GatehouseError} `AccessControlViolated` if the user has none of the needed roles; with `signIn: false` also
   * `NotAuthenticated` and `ReauthenticationRequired`.
   */
  readonly requireSession: (options?: RequireSessionOptions) => Promise<Session>
  /** Makes a route handler for signed-in users: programs without a session get 401 or 403 as JSON, browsers the sign-in page. */
  readonly withSession: WithSession
  /** Ends the session, and has the browser forget its cookies. For server actions and for route handlers of POST requests. */
  readonly signOut: () => Promise<void>
  /**
   * Makes the function of `proxy.ts`, or of `middleware.ts` on Node.js: it admits signed-in users to the paths of the matcher. Pages
   * lead others to the sign-in page and back, anything else gets 401 or 403 as JSON.
   */
  readonly proxy: (
    options?: AdmitRequestOptions,
  ) => (request: Request) => Promise<Response | undefined>
}

/** The services of a process. */
interface Started<Services> {
  readonly services: Services
  readonly handle: NextHandler
}

/** {@link NextAdapter} for what Next.js offers, or a test in its place. */
export function createNextAdapter<Services extends object>(
  platform: NextPlatform,
  options: NextAdapterOptions<Services>,
): NextAdapter<Services> {
  const { started, replace } = keep(options)
  const services = (): Services => started().services
  const auth = (): AuthContext => authOf(services())
  const handle: NextHandler = (request) => started().handle(request)
  return {
    services,
    replaceServices: replace,
    handlers: {
      DELETE: handle,
      GET: handle,
      HEAD: handle,
      OPTIONS: handle,
      PATCH: handle,
      POST: handle,
      PUT: handle,
    },
    async currentSession() {
      // First: a build stops here, and so it starts no service.
      const headers = await platform.headers()
      return resolveSession(auth(), { headers })
    },
    requireSession: (demands) => requireSession(platform, auth, demands),
    withSession:
      <Context>(
        // The overloads of `WithSession` promise the handler what the options admit.
        handler: Handler<never, Context>,
        demands?: AdmitRequestOptions | AdmitApiKeyOptions | AdmitAccessTokenOptions,
      ) =>
      async (request: Request, context: Context) => {
        const { session, refusal } = await admitRequest(auth(), request, demands)
        return refusal === undefined
          ? handler(request, session as never, context)
          : toResponse(refusal.answer)
      },
    async signOut() {
      const headers = await platform.headers()
      const cookies = await platform.cookies()
      for (const { name, value, sameSite, secure, domain, maxAge } of await logout(auth(), {
        headers,
      })) {
        cookies.set(name, value, {
          path: '/',
          httpOnly: true,
          secure,
          sameSite: sameSite === 'Strict' ? 'strict' : 'lax',
          ...(maxAge === undefined ? {} : { maxAge }),
          ...(domain === undefined ? {} : { domain }),
        })
      }
    },
    proxy: (demands) => async (request) => {
      const { refusal } = await admitRequest(auth(), request, demands)
      if (refusal === undefined) return
      const answer = toResponse(refusal.answer)
      const location = answer.headers.get('location')
      // Next.js answers 500 for a path. It makes a path of an address on its own host.
      if (location !== null) answer.headers.set('location', new URL(location, request.url).href)
      return answer
    },
  }
}

/** The services, which all copies of the module in a process share. */
interface Kept<Services> {
  readonly started: () => Started<Services>
  readonly replace: (services: Services) => void
}

function keep<Services extends object>({
  start,
  routes,
  name = 'default',
  basePath = '',
  trustedProxies = ['127.0.0.1', '::1'],
}: NextAdapterOptions<Services>): Kept<Services> {
  const key = Symbol.for(`@gatehouse/next ${name}`)
  const kept = globalThis as { [key: symbol]: Started<Services> | undefined }
  const put = (services: Services): Started<Services> => {
    const handle = fetchHandler(routes(services), { basePath, trustedProxies })
    const started = { services, handle }
    kept[key] = started
    return started
  }
  return { started: () => kept[key] ?? put(start()), replace: put }
}

/** @throws {TypeError} without an auth service, whose sessions are asked for. */
function authOf(services: object): AuthContext {
  const auth = 'auth' in services ? services.auth : undefined
  if (auth === undefined) throw new TypeError('start() returned no auth service, as in { auth }')
  return auth as AuthContext
}

async function requireSession(
  platform: NextPlatform,
  auth: () => AuthContext,
  { returnTo = '/', refuse, ...demands }: RequireSessionOptions = {},
): Promise<Session> {
  const given = await platform.headers()
  // Next.js renders components for its own router too, which asks for no page: sign-in is for all of them.
  const headers = { get: (name: string) => (name === 'accept' ? 'text/html' : given.get(name)) }
  const url = new URL(returnTo, auth().config.current.http.public_origin).href
  const { session, refusal } = await admitRequest(auth(), { method: 'GET', url, headers }, demands)
  if (refusal === undefined) return session
  if (refuse !== undefined) return refuse(refusal)
  const address = refusal.answer.headers.location
  if (typeof address === 'string') return platform.redirect(address)
  const kind = refusal.reason === 'NotAuthenticated' ? 'Unauthorized' : 'Forbidden'
  throw new GatehouseError(kind, refusal.reason, messages[refusal.reason])
}

const messages: Readonly<Record<Refusal['reason'], string>> = {
  NotAuthenticated: 'sign in first',
  ReauthenticationRequired: 'sign in again',
  AccessControlViolated: 'the user has none of the needed roles',
  InsufficientScope: 'the API key lacks a scope',
  RateLimited: 'too many wrong API keys',
  InvalidToken: 'the access token is not valid',
  InvalidDpopProof: 'the DPoP proof is not valid',
  TokenVerifierUnavailable: 'access tokens cannot be verified now',
}
