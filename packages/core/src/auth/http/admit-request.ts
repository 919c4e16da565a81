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
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import type { ApiKeySession } from '../flow/session/api-key.ts'
import type { Session } from '../flow/session/session.ts'
import { retryAfter, toApiError } from '../flows/api-error.ts'
import { getUser } from '../people/get-user.ts'
import { requireFresh } from '../sessions/require-fresh.ts'
import { checkScopes } from '../sessions/resolve-api-key.ts'
import { resolveSession, type SessionRequest } from '../sessions/resolve-session.ts'
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

/** A request, as a standard `Request` or a framework has it. */
export interface AdmittedRequest extends SessionRequest {
  readonly method: string
  /** The whole URL, or path and query. */
  readonly url: string
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
] as const

/** Why a request is not admitted. The last two are only of API keys. */
export interface Refusal {
  readonly reason: (typeof reasons)[number]
  readonly answer: Answer
}

const level = (value: unknown): 1 | 2 =>
  value === 1 || value === 2 ? value : refuseShown('1 or 2', value)

const decodeOptions = exactly<AdmitRequestOptions & Partial<AdmitApiKeyOptions>>({
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
 * page, with the way back; a program gets 401, or 403, with an error in JSON. With `apiKeyScopes`, API keys are admitted too: the
 * `session` is then a `Session`, or an `ApiKeySession` with `kind: 'api_key'`.
 *
 * @throws {GatehouseError} `InvalidInput`
 * @example
 * const { session, refusal } = await admitRequest(auth, request, { maxAgeMs: 600_000 })
 * if (session === undefined) throw new Error(refusal.reason)
 */
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
  given: AdmitRequestOptions & Partial<AdmitApiKeyOptions> = {},
): Promise<Admission<Session | ApiKeySession>> {
  const options = decodeInput('options', decodeOptions, given)
  const { apiKeyScopes } = options
  try {
    const session =
      apiKeyScopes === undefined
        ? await resolveSession(auth, request)
        : await resolveSession(auth, request, { apiKeys: true, ...withIp(request) })
    if (session !== undefined && isApiKey(session)) checkScopes(session, apiKeyScopes ?? [])
    return { session: await demand(auth, session, options) }
  } catch (error) {
    const reason = isGatehouseError(error) ? error.reason : ''
    if (!isReason(reason)) throw error
    return { refusal: { reason, answer: refusalAnswer(auth, request, { error, reason, options }) } }
  }
}

const withIp = ({ ip }: AdmittedRequest): { readonly ip?: string } =>
  ip === undefined ? {} : { ip }

const isReason = (reason: string): reason is Refusal['reason'] =>
  (reasons as readonly string[]).includes(reason)

const isApiKey = (session: Session | ApiKeySession): session is ApiKeySession => 'kind' in session

/** @throws {GatehouseError} `NotAuthenticated`, `ReauthenticationRequired`, `AccessControlViolated` */
async function demand(
  auth: AuthContext,
  session: Session | ApiKeySession | undefined,
  { maxAgeMs = Number.POSITIVE_INFINITY, amr = [], aal = 1, ...demands }: AdmitRequestOptions,
): Promise<Session | ApiKeySession> {
  if (session === undefined) throw authError('Unauthorized', 'NotAuthenticated', 'sign in first')
  if (!isApiKey(session)) {
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
  readonly options: AdmitRequestOptions
}

function refusalAnswer(
  auth: AuthContext,
  request: AdmittedRequest,
  { error, reason, options: { signIn = `${auth.config.current.http.base_path}/login` } }: Refused,
): Answer {
  if (signIn === false || !isForPage(request)) {
    const failure = { error: toApiError(error, auth.ids.random()) }
    const { tracking_id: _logged, ...answer } = errorAnswer(failure, retryAfter(error))
    return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } }
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
  const isProgram = /^bearer /i.test(headers.get('authorization') ?? '')
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
