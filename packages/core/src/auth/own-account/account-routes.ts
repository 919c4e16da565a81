import { isGatehouseError } from '../../errors.ts'
import { endpointsByPath, splitPlace } from '../../http/api/place.ts'
import { isReading } from '../../http/cross-origin.ts'
import type { Exchange } from '../../http/frame.ts'
import { readBody } from '../../http/read-body.ts'
import type { RequestInfo, Route, RouteRequest } from '../../http/route.ts'
import { type Decode, decodeInput, exactly, optional, rawText } from '../../input/decode.ts'
import { refuseShown } from '../../input/refusal.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { requestFacts } from '../flows/request-facts.ts'
import { isOriginAllowed } from '../http/cors.ts'
import { pathRows } from '../http/path-rows.ts'
import { contentTypeInvalid, readJson, saysJson } from '../http/read-json-body.ts'
import { requestContext } from '../http/request-context.ts'
import { createRequestFrame, type FramedAnswer } from '../http/request-frame.ts'
import { checkRequestLimit } from '../limits/request-limit.ts'
import { resolveSession } from '../sessions/resolve-session.ts'
import { logout } from '../sessions/revoke-session.ts'
import { accountOperations } from '../wire/operations.ts'
import { type AccountEndpoint, accountEndpoints, okAnswer } from './account-endpoints.ts'
import { accessFields, freshFields } from './account-input.ts'
import type { FreshOptions } from './fresh.ts'
import type { ProfileAccess } from './profile-access.ts'

/** Options of {@link accountRoutes}. */
export interface AccountRoutesOptions extends FreshOptions, ProfileAccess {
  /** The base path, below that of the configuration (default `/api/v1/account`). */
  readonly basePath?: string
}

/** Where the account is, unless the app mounts it elsewhere. */
const { path: ownPath } = splitPlace(accountOperations.getAccount)

const path: Decode<string> = (value) =>
  /^(\/[^/?#]+)+$/.test(rawText(value))
    ? rawText(value)
    : refuseShown('a path such as /api/v1/account', value)

const decodeOptions = exactly<AccountRoutesOptions>({
  ...freshFields,
  ...accessFields,
  basePath: optional(path),
})

/**
 * The routes for a page where users manage their own account, below the configuration's current base path. The host must mount
 * them itself.
 *
 * @throws {GatehouseError} `InvalidInput` if `basePath` does not begin with `/`, or ends with it.
 */
export function accountRoutes(
  auth: AuthContext,
  given: AccountRoutesOptions = {},
): readonly Route[] {
  const { basePath = ownPath, ...options } = decodeInput('options', decodeOptions, given)
  const at = (path: string): string => `${basePath}${path.slice(ownPath.length)}`
  const { signOut, ...places } = accountOperations
  const { method, path } = splitPlace(signOut)
  const rows = [
    ...endpointsByPath(places, accountEndpoints).flatMap(({ path, endpoints }) =>
      pathRows(auth, 'api', { path: at(path), endpoints }, (endpoint) => ({
        answer: ({ request, info }) => answerCall(auth, { request, info, options }, endpoint),
      })),
    ),
    ...pathRows(
      auth,
      'api',
      { path: at(path), endpoints: { [method]: answerSignOut } },
      (answer) => ({ answer: (exchange) => answer(auth, exchange) }),
    ),
  ]
  return rows.map(createRequestFrame(auth))
}

async function answerSignOut(
  auth: AuthContext,
  { request, info }: Exchange,
): Promise<FramedAnswer> {
  await checkRequest(auth, request, info)
  await checkNoBody(request)
  // Clear the cookie even without a session.
  return { ...okAnswer(), cookies: await logout(auth, request) }
}

interface Received extends Exchange {
  readonly options: FreshOptions & ProfileAccess
}

async function answerCall(
  auth: AuthContext,
  { request, info, options }: Received,
  endpoint: AccountEndpoint,
): Promise<FramedAnswer> {
  const context = await checkRequest(auth, request, info, endpoint)
  const body = endpoint.takesBody === true ? await readJson(auth, request) : null
  if (endpoint.takesBody !== true) await checkNoBody(request)
  const session = await resolveSession(auth, request, context)
  if (session === undefined) {
    throw authError('Unauthorized', 'NotAuthenticated', 'sign in first')
  }
  const { id = '' } = info.params
  return endpoint.answer(auth, { ...context, ...options, session, id, body })
}

/**
 * Refuses changes from pages of other origins, and addresses above the rate limit.
 *
 * @throws {GatehouseError} `Forbidden`, `TooManyRequest`
 */
async function checkRequest(
  auth: AuthContext,
  request: RouteRequest,
  info: RequestInfo,
  { counts }: Pick<AccountEndpoint, 'counts'> = {},
): Promise<RequestContext> {
  const config = auth.config.current
  const origin = request.headers.get('origin')
  const isOwn = origin === null || isOriginAllowed(config, origin)
  if (!isOwn && !isReading(request.method)) {
    throw authError('Forbidden', 'Forbidden', 'the origin is not allowed')
  }
  const context = requestContext(request, info)
  if (counts !== true) await checkRequestLimit(auth, requestFacts(auth, context))
  return context
}

/** Ignores a body declared as JSON. Other bodies could come from pages of other origins and are refused. */
export async function checkNoBody(request: RouteRequest): Promise<void> {
  if (isReading(request.method) || saysJson(request)) return
  if (request.headers.has('content-type')) throw contentTypeInvalid()
  try {
    await readBody(request, 0)
  } catch (error) {
    throw isGatehouseError(error) ? contentTypeInvalid() : error
  }
}
