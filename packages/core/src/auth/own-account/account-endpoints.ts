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
import type { AccountOperation } from '../wire/operations.ts'
import { decodeAccountChange } from './account-change.ts'
import { accountData, activityData, apiKeyData, appData, exportData } from './account-data.ts'
import { beginAccountFlow } from './begin-account-flow.ts'
import { exportAccount } from './export-account.ts'
import type { FreshOptions } from './fresh.ts'
import { getAccount } from './get-account.ts'
import { listActivity } from './list-activity.ts'
import { createOwnApiKey, listOwnApiKeys, revokeOwnApiKey } from './own-api-keys.ts'
import { listOwnApps, revokeOwnApp } from './own-apps.ts'
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

/** The function that answers an operation on the user's own account. */
export interface AccountEndpoint {
  /** Whether it reads a request body (default false). */
  readonly takesBody?: true
  /** Whether the operation counts the request against the rate limit itself (default false). */
  readonly counts?: true
  answer(auth: AuthContext, call: AccountCall): Promise<FramedAnswer>
}

/** The answer of a successful operation. */
export const okAnswer = (result: object = {}): FramedAnswer => jsonAnswer(200, { result })

/** The endpoints of the operations that need a session. */
export const accountEndpoints: Readonly<
  Record<Exclude<AccountOperation, 'signOut'>, AccountEndpoint>
> = {
  getAccount: {
    answer: async (auth, call) => okAnswer(accountData(await getAccount(auth, call.session, call))),
  },
  listActivity: {
    async answer(auth, { session, query }) {
      const { items, next } = await listActivity(
        auth,
        session,
        pageQuery(new URLSearchParams(query)),
      )
      return okAnswer({ items: items.map(activityData), ...(next && { next }) })
    },
  },
  exportAccount: {
    answer: async (auth, call) =>
      okAnswer(exportData(await exportAccount(auth, call.session, call))),
  },
  scheduleDeletion: {
    async answer(auth, { session, ...options }) {
      const at = await scheduleDeletion(auth, session, options)
      const cookies = clearSessionCookies(auth.config.current)
      return { ...okAnswer({ delete_at: new Date(at).toISOString() }), cookies }
    },
  },
  beginAccountFlow: {
    takesBody: true,
    counts: true,
    async answer(auth, { session, body, ...request }) {
      const change = await decodeAccountChange(body)
      return flowAnswer(await beginAccountFlow(auth, session, change, request))
    },
  },
  removeIdentity: {
    async answer(auth, { session, id, ...options }) {
      await removeIdentity(auth, session, id, options)
      return okAnswer()
    },
  },
  removeAuthenticator: {
    async answer(auth, { session, id, ...options }) {
      await removeAuthenticator(auth, session, id, options)
      return okAnswer()
    },
  },
  updateProfile: {
    takesBody: true,
    async answer(auth, { session, body, ...options }) {
      const changes = await decodeProfileChanges(body)
      return okAnswer(await updateProfile(auth, session, changes, options))
    },
  },
  revokeOwnSession: {
    async answer(auth, { session, id, ...context }) {
      await revokeOwnSession(auth, session, id, context)
      const cookies = id === session.id ? clearSessionCookies(auth.config.current) : []
      return { ...okAnswer(), cookies }
    },
  },
  revokeOtherSessions: {
    answer: async (auth, { session, ...context }) =>
      okAnswer({ revoked: await revokeOtherSessions(auth, session, context) }),
  },
  listOwnApiKeys: {
    async answer(auth, { session }) {
      const { items, ...policy } = await listOwnApiKeys(auth, session)
      return okAnswer({ items: items.map(apiKeyData), ...policy })
    },
  },
  createOwnApiKey: {
    takesBody: true,
    async answer(auth, { session, body, ...options }) {
      const details = await decodeNewApiKey(body)
      const { key, api_key } = await createOwnApiKey(auth, session, details, options)
      return okAnswer({ key, api_key: apiKeyData(api_key) })
    },
  },
  revokeOwnApiKey: {
    async answer(auth, { session, id, ...context }) {
      await revokeOwnApiKey(auth, session, id, context)
      return okAnswer()
    },
  },
  listOwnApps: {
    answer: async (auth, { session, ...context }) =>
      okAnswer({ items: (await listOwnApps(auth, session, context)).map(appData) }),
  },
  revokeOwnApp: {
    async answer(auth, { session, id, ...context }) {
      await revokeOwnApp(auth, session, id, context)
      return okAnswer()
    },
  },
  revokeDeviceTokens: {
    answer: async (auth, { session, ...context }) =>
      okAnswer({ revoked: await revokeDeviceTokens(auth, session, context) }),
  },
}
