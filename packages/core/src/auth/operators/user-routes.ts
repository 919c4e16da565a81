import { nameOf } from '../../authorization/authorize.ts'
import { endpointsByPath, splitPlace } from '../../http/api/place.ts'
import { foreignOrigin, isReading } from '../../http/cross-origin.ts'
import type { Exchange } from '../../http/frame.ts'
import { checkParameterNames, unknownPathRefusal } from '../../http/own-api/failure.ts'
import type { Route, RouteRequest } from '../../http/route.ts'
import { decodeInput, exactly, functionLike, optional } from '../../input/decode.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { pathRows } from '../http/path-rows.ts'
import { readJson } from '../http/read-json-body.ts'
import { createRequestFrame, type FramedAnswer, type FramedRow } from '../http/request-frame.ts'
import { checkNoBody } from '../own-account/account-routes.ts'
import { resolveSession } from '../sessions/resolve-session.ts'
import { type UserOperation, userOperations } from '../wire/operations.ts'
import {
  impersonationEndpoint,
  impersonationForbidden,
  type SubjectOf,
} from './impersonation-endpoint.ts'
import { type UserEndpoint, userEndpoints } from './user-endpoints.ts'

/** Options of {@link userRoutes}. */
export interface UserRoutesOptions {
  /**
   * Lets operators with the right `users:impersonate` act as users who may do no more than they: returns whom a user is for
   * `authorize` once signed in, with roles; `undefined` for users who are nobody there (default: nobody acts as a user).
   */
  readonly subjectOf?: SubjectOf
}

const decodeOptions = exactly<UserRoutesOptions>({
  subjectOf: optional(functionLike<SubjectOf>('a function that returns a subject')),
})

/**
 * The routes for operators who manage and invite users, below the configuration's current base path. The host must mount them itself, and a
 * request needs the right `users:manage`, for API keys `api-keys:manage`. Without the option `authorize` of `createAuth()` there are none, because any sender could
 * read and change all users.
 */
export function userRoutes(auth: AuthContext, given: UserRoutesOptions = {}): readonly Route[] {
  const { subjectOf } = decodeInput('options', decodeOptions, given)
  if (auth.access === undefined) return []
  const impersonateUser = subjectOf && impersonationEndpoint(subjectOf)
  const rows = endpointsByPath<UserOperation, UserEndpoint>(userOperations, {
    ...userEndpoints,
    impersonateUser,
  }).flatMap((one) =>
    pathRows(auth, 'own', one, (endpoint) => ({
      action: endpoint.action ?? 'users:manage',
      answer: (exchange) => answerCall(auth, exchange, endpoint),
    })),
  )
  const roots = [userOperations.getUsers, userOperations.getInvitations, userOperations.getApiKeys]
  const unknown = roots.map(
    (root): FramedRow => ({
      method: '*',
      path: `${splitPlace(root).path}/*`,
      kind: 'own',
      action: 'public',
      answer: async ({ info: { path } }) => unknownPathRefusal(path),
    }),
  )
  return [...rows, ...unknown].map(createRequestFrame(auth))
}

async function answerCall(
  auth: AuthContext,
  { request, info }: Exchange,
  { action = 'users:manage', maxBytes, answer }: UserEndpoint,
): Promise<FramedAnswer> {
  const { public_origin: publicUrl } = auth.config.current.http
  // Pages that may sign users in need not see all users.
  if (foreignOrigin(request, publicUrl) !== undefined) {
    throw authError('Forbidden', 'Forbidden', 'the origin is not allowed')
  }
  await auth.access?.check(info, action)
  if (!isReading(request.method)) await checkSelf(auth, request)
  checkParameterNames(info.query)
  const { id = '', session = '', app = '' } = info.params
  const body = maxBytes === undefined ? null : await readJson(auth, request, maxBytes)
  if (maxBytes === undefined) await checkNoBody(request)
  // Events say who did it.
  const operator = nameOf(info)
  const acting = { ...auth, operator }
  const answered = await answer(acting, {
    id,
    session,
    app,
    query: new URLSearchParams(info.query),
    body,
    operator,
    exchange: { request, info },
  })
  if (!isReading(request.method)) {
    const { method } = request
    const { subject } = info
    const fields = { method, path: info.path, subject: subject?.id, kind: subject?.kind }
    auth.logger.info(fields, 'users were changed')
  }
  return answered
}

/**
 * Refuses changes from within a session in which an operator acts as a user: they would be recorded as the user's.
 *
 * @throws {GatehouseError} `ImpersonationForbidden`
 */
async function checkSelf(auth: AuthContext, request: RouteRequest): Promise<void> {
  const session = await resolveSession(auth, request)
  if (session?.impersonated_by === undefined) return
  throw impersonationForbidden('end the session in which you act as another user first')
}
