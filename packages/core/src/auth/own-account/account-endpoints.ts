import type { Json } from '../../storage/storage.ts'
import type { AuthContext } from '../context.ts'
import type { Session } from '../flow/session/session.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { decodeNewApiKey, decodeProfileChanges } from '../http/decode-body.ts'
import { jsonAnswer } from '../http/error-response.ts'
import { flowAnswer } from '../http/flow-answer.ts'
import { pageQuery } from '../http/page-query.ts'
import type { FramedAnswer } from '../http/request-frame.ts'
import { clearSessionCookies } from '../sessions/cookies.ts'
import { decodeAccountChange } from './account-change.ts'
import { accountData, activityData, apiKeyData, exportData } from './account-data.ts'
import { beginAccountFlow } from './begin-account-flow.ts'
import { exportAccount } from './export-account.ts'
import type { FreshOptions } from './fresh.ts'
import { getAccount } from './get-account.ts'
import { listActivity } from './list-activity.ts'
import { createOwnApiKey, listOwnApiKeys, revokeOwnApiKey } from './own-api-keys.ts'
import { revokeOtherSessions, revokeOwnSession } from './own-sessions.ts'
import type { ProfileAccess } from './profile-access.ts'
import { removeAuthenticator } from './remove-authenticator.ts'
import { removeIdentity } from './remove-identity.ts'
import { revokeDeviceTokens } from './revoke-device-tokens.ts'
import { scheduleDeletion } from './schedule-deletion.ts'
import { updateProfile } from './update-profile.ts'

/** A request of a signed-in user. */
export interface AccountCall extends RequestContext, FreshOptions, ProfileAccess {
  readonly session: Session
  /** The last segment of the path. */
  readonly id: string
  readonly body: Json
}

/** The handler of requests to one path by one method. */
export interface AccountEndpoint {
  readonly method: string
  /** Relative to the path of the account. */
  readonly path: string
  /** Whether it reads a request body (default false). */
  readonly takesBody?: true
  /** Whether the operation counts the request against the rate limit itself (default false). */
  readonly counts?: true
  answer(auth: AuthContext, call: AccountCall): Promise<FramedAnswer>
}

/** The answer of a successful operation. */
export const okAnswer = (result: object = {}): FramedAnswer => jsonAnswer(200, { result })

/** The paths below that of the account, each with a method. */
export const accountEndpoints: readonly AccountEndpoint[] = [
  {
    method: 'GET',
    path: '',
    answer: async (auth, call) => okAnswer(accountData(await getAccount(auth, call.session, call))),
  },
  {
    method: 'GET',
    path: '/activity',
    async answer(auth, { session, query }) {
      const { items, next } = await listActivity(
        auth,
        session,
        pageQuery(new URLSearchParams(query)),
      )
      return okAnswer({ items: items.map(activityData), ...(next && { next }) })
    },
  },
  {
    method: 'GET',
    path: '/export',
    answer: async (auth, call) =>
      okAnswer(exportData(await exportAccount(auth, call.session, call))),
  },
  {
    method: 'POST',
    path: '/deletion',
    async answer(auth, { session, ...options }) {
      const at = await scheduleDeletion(auth, session, options)
      const cookies = clearSessionCookies(auth.config.current)
      return { ...okAnswer({ delete_at: new Date(at).toISOString() }), cookies }
    },
  },
  {
    method: 'POST',
    path: '/flows',
    takesBody: true,
    counts: true,
    async answer(auth, { session, body, ...request }) {
      const change = await decodeAccountChange(body)
      return flowAnswer(await beginAccountFlow(auth, session, change, request))
    },
  },
  {
    method: 'DELETE',
    path: '/identities/:id',
    async answer(auth, { session, id, ...options }) {
      await removeIdentity(auth, session, id, options)
      return okAnswer()
    },
  },
  {
    method: 'DELETE',
    path: '/authenticators/:id',
    async answer(auth, { session, id, ...options }) {
      await removeAuthenticator(auth, session, id, options)
      return okAnswer()
    },
  },
  {
    method: 'PATCH',
    path: '/profile',
    takesBody: true,
    async answer(auth, { session, body, ...options }) {
      const changes = await decodeProfileChanges(body)
      return okAnswer(await updateProfile(auth, session, changes, options))
    },
  },
  {
    method: 'DELETE',
    path: '/sessions/:id',
    async answer(auth, { session, id, ...context }) {
      await revokeOwnSession(auth, session, id, context)
      const cookies = id === session.id ? clearSessionCookies(auth.config.current) : []
      return { ...okAnswer(), cookies }
    },
  },
  {
    method: 'POST',
    path: '/sessions/revoke-others',
    answer: async (auth, { session, ...context }) =>
      okAnswer({ revoked: await revokeOtherSessions(auth, session, context) }),
  },
  {
    method: 'GET',
    path: '/api-keys',
    async answer(auth, { session }) {
      const { items, ...policy } = await listOwnApiKeys(auth, session)
      return okAnswer({ items: items.map(apiKeyData), ...policy })
    },
  },
  {
    method: 'POST',
    path: '/api-keys',
    takesBody: true,
    async answer(auth, { session, body, ...options }) {
      const details = await decodeNewApiKey(body)
      const { key, api_key } = await createOwnApiKey(auth, session, details, options)
      return okAnswer({ key, api_key: apiKeyData(api_key) })
    },
  },
  {
    method: 'DELETE',
    path: '/api-keys/:id',
    async answer(auth, { session, id, ...context }) {
      await revokeOwnApiKey(auth, session, id, context)
      return okAnswer()
    },
  },
  {
    method: 'POST',
    path: '/device-tokens/revoke',
    answer: async (auth, { session, ...context }) =>
      okAnswer({ revoked: await revokeDeviceTokens(auth, session, context) }),
  },
]
