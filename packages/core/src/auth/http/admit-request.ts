import { isGatehouseError } from '../../errors.ts'
import { type Answer, redirect } from '../../http/answer.ts'
import { parseUrl } from '../../http/parse-url.ts'
import {
  decodeInput,
  exactly,
  filledText,
  listOf,
  numberFrom,
  optional,
  rawText,
} from '../../input/decode.ts'
import { refuseShown } from '../../input/refusal.ts'
import { challengeOf } from '../access-tokens/admit-token.ts'
import { isTokenRefusal, refusalHeaders } from '../access-tokens/token-refusal.ts'
import { sentToken, type TokenRequest } from '../access-tokens/token-request.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import type { AccessTokenSession } from '../flow/session/access-token-session.ts'
import type { ApiKeySession } from '../flow/session/api-key.ts'
import type { Session } from '../flow/session/session.ts'
import { retryAfter, toApiError } from '../flows/api-error.ts'
import { getUser } from '../people/get-user.ts'
import { requireFresh } from '../sessions/require-fresh.ts'
import {
  type AccessTokenOptions,
  accessTokenOptions,
  resolveAccessToken,
} from '../sessions/resolve-access-token.ts'
import { checkScopes } from '../sessions/resolve-api-key.ts'
import { resolveSession, takesBearer } from '../sessions/resolve-session.ts'
import { errorAnswer } from './error-response.ts'
import { pageViewOf } from './page-view.ts'
import { pagesIn } from './pages.ts'

/** What a session must be like, and where people sign in. */
export interface AdmitRequestOptions {
  /** How long ago the user may have authenticated at most, in milliseconds (default: any time). */
  readonly maxAgeMs?: number | undefined
  /** The `amr` values that the session must have, all of them, within `maxAgeMs`, such as `x_secondary_totp` (default: any). */
  readonly amr?: readonly string[] | undefined
  /** The assurance level: 2 asks for two factors, or a passkey with user verification (default 1). */
  readonly aal?: 1 | 2 | undefined
  /** The user must have one of these roles (default: none is needed). */
  readonly roles?: readonly string[] | undefined
  /** The custom attribute of users that has their role, or a list of roles (default `x_role`). */
  readonly roleAttribute?: string | undefined
  /**
   * The sign-in page, to which browsers are sent that ask for a page: a path, or an address on another host (default `/login`,
   * below `http.base_path`).
   * `false` sends nobody there: pages get the answer for programs.
   */
  readonly signIn?: string | false | undefined
}

/** What a session or an API key must be like, for a route that takes both. */
export interface AdmitApiKeyOptions extends AdmitRequestOptions {
  /**
   * The scopes that an API key must have, all of them; `[]` for any key. A key needs no `maxAgeMs`, `amr` and `aal`, which only people
   * can show; `roles` are those of its user.
   */
  readonly apiKeyScopes: readonly string[]
}

/** What a session or an access token must be like, for a route that takes both, and perhaps API keys. */
export interface AdmitAccessTokenOptions extends AdmitRequestOptions, Partial<AdmitApiKeyOptions> {
  /**
   * Who verifies access tokens of an authorization server, and what they must be good for. As API keys, they need no `maxAgeMs`, `amr`
   * and `aal`; `roles` are those of their user. The server must be one of this service: its users are those of the sessions.
   */
  readonly accessTokens: AccessTokenOptions
}

/** A request, as a standard `Request` or a framework has it. */
export interface AdmittedRequest extends TokenRequest {
  /** The address of the sender, by which wrong API keys are counted, and that a key was last used from (default: none is known). */
  readonly ip?: string | undefined
}

/** The session of a request, or the answer that refuses it, by the reason of its error. */
export type Admission<S = Session> =
  | { readonly session: S; readonly refusal?: undefined }
  | { readonly session?: undefined; readonly refusal: Refusal }

const reasons = [
  'NotAuthenticated',
  'ReauthenticationRequired',
  'AccessControlViolated',
  'InsufficientScope',
  'RateLimited',
  'InvalidToken',
  'InvalidDpopProof',
  'TokenVerifierUnavailable',
] as const

/** Why a request is not admitted. `RateLimited` is only of API keys, and what follows it only of access tokens. */
export interface Refusal {
  readonly reason: (typeof reasons)[number]
  readonly answer: Answer
}

const level = (value: unknown): 1 | 2 =>
  value === 1 || value === 2 ? value : refuseShown('1 or 2', value)

const decodeOptions = exactly<AdmitRequestOptions & Partial<AdmitAccessTokenOptions>>({
  accessTokens: optional(accessTokenOptions),
  apiKeyScopes: optional(listOf(rawText)),
  maxAgeMs: optional(numberFrom(0)),
  amr: optional(listOf(rawText)),
  aal: optional(level),
  roles: optional(listOf(filledText)),
  roleAttribute: optional(filledText),
  signIn: optional((value) => (value === false ? value : filledText(value))),
})

/**
 * Admits a request whose session fulfils the demands. Others get an answer: a browser that asks for a page is sent to the sign-in
 * page, with the way back; a program gets 401, or 403, with an error in JSON. With `apiKeyScopes`, API keys are admitted too, and
 * with `accessTokens` access tokens: the `session` is then a `Session`, an `ApiKeySession` with `kind: 'api_key'`, or an
 * `AccessTokenSession` with `kind: 'access_token'`.
 *
 * @throws {GatehouseError} `InvalidInput`
 * @example
 * const { session, refusal } = await admitRequest(auth, request, { maxAgeMs: 600_000 })
 * if (session === undefined) throw new Error(refusal.reason)
 */
export async function admitRequest(
  auth: AuthContext,
  request: AdmittedRequest,
  given: AdmitAccessTokenOptions,
): Promise<Admission<AnySession>>
export async function admitRequest(
  auth: AuthContext,
  request: AdmittedRequest,
  given: AdmitApiKeyOptions,
): Promise<Admission<Session | ApiKeySession>>
export async function admitRequest(
  auth: AuthContext,
  request: AdmittedRequest,
  given?: AdmitRequestOptions,
): Promise<Admission>
export async function admitRequest(
  auth: AuthContext,
  request: AdmittedRequest,
  given: AdmitRequestOptions & Partial<AdmitAccessTokenOptions> = {},
): Promise<Admission<AnySession>> {
  const options = decodeInput('options', decodeOptions, given)
  try {
    const session = await sessionOf(auth, request, options)
    return { session: await demand(auth, session, options) }
  } catch (error) {
    const reason = isGatehouseError(error) ? error.reason : ''
    if (!isReason(reason)) throw error
    return { refusal: { reason, answer: refusalAnswer(auth, request, { error, reason, options }) } }
  }
}

/** What a request is admitted by, if it takes API keys and access tokens too. */
type AnySession = Session | ApiKeySession | AccessTokenSession

async function sessionOf(
  auth: AuthContext,
  request: AdmittedRequest,
  { apiKeyScopes, accessTokens }: Partial<AdmitAccessTokenOptions>,
): Promise<AnySession | undefined> {
  const sent = accessTokens && sentToken(request)
  // Without a token for the service itself, a cookie would make up for a wrong one.
  const isOwn = sent === undefined || takesBearer(auth.config.current, sent)
  const session = !isOwn
    ? undefined
    : apiKeyScopes === undefined
      ? await resolveSession(auth, request)
      : await resolveSession(auth, request, { apiKeys: true, ...withIp(request) })
  if (session === undefined && accessTokens !== undefined && sent !== undefined) {
    return resolveAccessToken(auth, request, accessTokens)
  }
  if (session !== undefined && 'kind' in session) checkScopes(session, apiKeyScopes ?? [])
  return session
}

const withIp = ({ ip }: AdmittedRequest): { readonly ip?: string } =>
  ip === undefined ? {} : { ip }

const isReason = (reason: string): reason is Refusal['reason'] =>
  (reasons as readonly string[]).includes(reason)

/** @throws {GatehouseError} `NotAuthenticated`, `ReauthenticationRequired`, `AccessControlViolated` */
async function demand(
  auth: AuthContext,
  session: AnySession | undefined,
  { maxAgeMs = Number.POSITIVE_INFINITY, amr = [], aal = 1, ...demands }: AdmitRequestOptions,
): Promise<AnySession> {
  if (session === undefined) throw authError('Unauthorized', 'NotAuthenticated', 'sign in first')
  if (!('kind' in session)) {
    // A session in which an operator acts as the user is good until something is asked that only the user can show.
    if (Number.isFinite(maxAgeMs) || amr.length > 0) requireFresh(auth, session, { maxAgeMs, amr })
    if (session.aal < aal) {
      throw authError('Forbidden', 'ReauthenticationRequired', 'show a second factor', {
        missing: ['mfa'],
      })
    }
  }
  const { roles, roleAttribute = 'x_role' } = demands
  if (roles === undefined) return session
  const own = await rolesOf(auth, session.user_id, roleAttribute)
  if (roles.some((role) => own.includes(role))) return session
  throw authError('Forbidden', 'AccessControlViolated', 'the user has none of the needed roles')
}

/** A service has no roles. */
async function rolesOf(
  auth: AuthContext,
  userId: string | null,
  attribute: string,
): Promise<readonly unknown[]> {
  if (userId === null) return []
  const { custom_attributes: attributes } = await getUser(auth, userId)
  return Object.hasOwn(attributes, attribute) ? [attributes[attribute]].flat() : []
}

interface Refused {
  readonly error: unknown
  readonly reason: Refusal['reason']
  readonly options: AdmitRequestOptions & Partial<AdmitAccessTokenOptions>
}

function refusalAnswer(
  auth: AuthContext,
  request: AdmittedRequest,
  { error, reason, options }: Refused,
): Answer {
  const { signIn = `${auth.config.current.http.base_path}/login`, accessTokens } = options
  if (signIn === false || !isForPage(request)) {
    const failure = { error: toApiError(error, auth.ids.random()) }
    const { tracking_id: _logged, ...answer } = errorAnswer(failure, retryAfter(error))
    const challenge =
      accessTokens !== undefined && isTokenRefusal(error)
        ? refusalHeaders(error, challengeOf(request, accessTokens))
        : {}
    return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store', ...challenge } }
  }
  if (reason === 'AccessControlViolated') {
    const query = parseUrl(request.url, 'http://localhost')?.search ?? ''
    const { language, show } = pageViewOf(auth, request, query)
    return show(pagesIn(language).failed(403, reason))
  }
  const { headers, ...answer } = redirect(
    302,
    request.method,
    signInAddress(request, signIn, reason),
  )
  return { ...answer, headers: { ...headers, 'cache-control': 'no-store' } }
}

/** Whether a browser asks for a page that it will show. */
function isForPage({ method, headers }: AdmittedRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  // Programs accept anything; only browsers name HTML, and they send no bearer token by themselves.
  const isProgram = sentToken({ headers }) !== undefined
  return (
    isRead && !isProgram && /(?:^|[,\s])text\/html(?:$|[,;\s])/i.test(headers.get('accept') ?? '')
  )
}

/** A sign-in page on another host needs the whole address to lead back; on this one the path is enough, whatever a proxy did. */
function signInAddress(
  request: AdmittedRequest,
  signIn: string,
  reason: Refusal['reason'],
): string {
  const asked = parseUrl(request.url, 'http://localhost')
  const isElsewhere = /^https?:/i.test(signIn)
  const back = asked && (isElsewhere ? asked.href : `${asked.pathname}${asked.search}`)
  const parameters = new URLSearchParams(back === undefined ? {} : { return_to: back })
  if (reason === 'ReauthenticationRequired') parameters.set('prompt', 'login')
  return `${signIn}${signIn.includes('?') ? '&' : '?'}${parameters}`
}
