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
import type { Session } from '../flow/session/session.ts'
import { toApiError } from '../flows/api-error.ts'
import { getUser } from '../people/get-user.ts'
import { requireFresh } from '../sessions/require-fresh.ts'
import { resolveSession, type SessionRequest } from '../sessions/resolve-session.ts'
import { errorAnswer } from './error-response.ts'
import { failurePage, lookOf, pageAnswer } from './pages.ts'

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

/** A request, as a standard `Request` or a framework has it. */
export interface AdmittedRequest extends SessionRequest {
  readonly method: string
  /** The whole URL, or path and query. */
  readonly url: string
}

/** The session of a request, or the answer that refuses it, by the reason of its error. */
export type Admission =
  | { readonly session: Session; readonly refusal?: undefined }
  | { readonly session?: undefined; readonly refusal: Refusal }

/** Why a request is not admitted. */
export interface Refusal {
  readonly reason: 'NotAuthenticated' | 'ReauthenticationRequired' | 'AccessControlViolated'
  readonly answer: Answer
}

const level = (value: unknown): 1 | 2 =>
  value === 1 || value === 2 ? value : refuseShown('1 or 2', value)

const decodeOptions = exactly<AdmitRequestOptions>({
  maxAgeMs: optional(numberFrom(0)),
  amr: optional(listOf(rawText)),
  aal: optional(level),
  roles: optional(listOf(filledText)),
  roleAttribute: optional(filledText),
  signIn: optional((value) => (value === false ? value : filledText(value))),
})

/**
 * Admits a request whose session fulfils the demands. Others get an answer: a browser that asks for a page is sent to the sign-in
 * page, with the way back; a program gets 401, or 403, with an error in JSON.
 *
 * @throws {GatehouseError} `InvalidInput`
 * @example
 * const { session, refusal } = await admitRequest(auth, request, { maxAgeMs: 600_000 })
 * if (session === undefined) throw new Error(refusal.reason)
 */
export async function admitRequest(
  auth: AuthContext,
  request: AdmittedRequest,
  given: AdmitRequestOptions = {},
): Promise<Admission> {
  const options = decodeInput('options', decodeOptions, given)
  const session = await resolveSession(auth, request)
  try {
    return { session: await demand(auth, session, options) }
  } catch (error) {
    const reason = isGatehouseError(error) ? error.reason : ''
    if (!isReason(reason)) throw error
    return { refusal: { reason, answer: refusalAnswer(auth, request, { error, reason, options }) } }
  }
}

const isReason = (reason: string): reason is Refusal['reason'] =>
  ['NotAuthenticated', 'ReauthenticationRequired', 'AccessControlViolated'].includes(reason)

/** @throws {GatehouseError} `NotAuthenticated`, `ReauthenticationRequired`, `AccessControlViolated` */
async function demand(
  auth: AuthContext,
  session: Session | undefined,
  { maxAgeMs = Number.POSITIVE_INFINITY, amr = [], aal = 1, ...demands }: AdmitRequestOptions,
): Promise<Session> {
  if (session === undefined) throw authError('Unauthorized', 'NotAuthenticated', 'sign in first')
  requireFresh(auth, session, { maxAgeMs, amr })
  if (session.aal < aal) {
    throw authError('Forbidden', 'ReauthenticationRequired', 'show a second factor', {
      missing: ['mfa'],
    })
  }
  const { roles, roleAttribute = 'x_role' } = demands
  if (roles === undefined) return session
  const { custom_attributes: attributes } = await getUser(auth, session.user_id)
  const own = Object.hasOwn(attributes, roleAttribute) ? [attributes[roleAttribute]].flat() : []
  if (roles.some((role) => own.includes(role))) return session
  throw authError('Forbidden', 'AccessControlViolated', 'the user has none of the needed roles')
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
    const { tracking_id: _logged, ...answer } = errorAnswer({
      error: toApiError(error, auth.ids.random()),
    })
    return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } }
  }
  if (reason === 'AccessControlViolated') {
    const page = failurePage(403, 'You are signed in, but this page is not for you.')
    return pageAnswer(page, lookOf(auth, 'en'))
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
  // Programs accept anything; only browsers name HTML.
  return isRead && /(?:^|[,\s])text\/html(?:$|[,;\s])/i.test(headers.get('accept') ?? '')
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
