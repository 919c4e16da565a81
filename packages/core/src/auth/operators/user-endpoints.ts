import type { Action } from '../../authorization/action.ts'
import { emptyAnswer } from '../../http/answer.ts'
import type { Exchange } from '../../http/frame.ts'
import { invalidInput } from '../../input/refusal.ts'
import type { Json } from '../../storage/storage.ts'
import type { ApiKeyOwner } from '../accounts/api-key-record.ts'
import type { AuthContext } from '../context.ts'
import {
  decodeDisabling,
  decodeImportUsers,
  decodeNewInvitation,
  decodeNewUser,
  decodeOwnedApiKey,
} from '../http/decode-body.ts'
import { jsonAnswer } from '../http/error-response.ts'
import { pageQuery } from '../http/page-query.ts'
import { requestContext } from '../http/request-context.ts'
import type { FramedAnswer } from '../http/request-frame.ts'
import { resendInvitation, revokeInvitation } from '../invitations/change-invitation.ts'
import { createInvitation, type NewInvitation } from '../invitations/create-invitation.ts'
import { listInvitations } from '../invitations/list-invitations.ts'
import { apiKeyData, appData } from '../own-account/account-data.ts'
import { createUser, type NewUser } from '../people/create-user.ts'
import { deleteUser } from '../people/delete-user.ts'
import { getUser } from '../people/get-user.ts'
import { importUsers } from '../people/import-users.ts'
import { listAuthEvents } from '../people/list-auth-events.ts'
import { listUsers } from '../people/list-users.ts'
import { resetLockout } from '../people/lockouts.ts'
import { disableUser, enableUser } from '../people/update-user.ts'
import { apiKeysConfig, createApiKey, type OwnedApiKey } from '../tokens/create-api-key.ts'
import {
  type ApiKeyPage,
  listApiKeys,
  listServiceApiKeys,
  revokeApiKey,
} from '../tokens/list-api-keys.ts'
import type { UserOperation } from '../wire/operations.ts'
import { getUserAccount } from './get-user-account.ts'
import { revokeUserSession, revokeUserSessions } from './revoke-user-sessions.ts'
import { searchUsers } from './search-users.ts'
import { listUserApps, revokeUserApp } from './user-apps.ts'
import {
  auditedEventData,
  importOutcomeData,
  invitationData,
  userAccountData,
  userData,
} from './user-data.ts'
import { fromWire, toWire, withWireKeys } from './wire-keys.ts'

/** A request about users. */
export interface UsersCall {
  /** The user, the invitation or the key of the path; empty without one. */
  readonly id: string
  /** The session of the path; empty without one. */
  readonly session: string
  /** The app of the path; empty without one. */
  readonly app: string
  readonly query: URLSearchParams
  readonly body: Json
  /** The name of the operator. */
  readonly operator: string | undefined
  readonly exchange: Exchange
}

/** The function that answers an operation on users. */
export interface UserEndpoint {
  /** The right that it needs (default `users:manage`). */
  readonly action?: Action
  /** The largest body in bytes (default: it takes none). */
  readonly maxBytes?: number
  answer(auth: AuthContext, call: UsersCall): Promise<FramedAnswer>
}

const oneUser = 65_536
const manyUsers = 4 * 1_048_576

/** The answer of a successful operation, with the keys of our own API. */
const ownAnswer = (value: { readonly [name: string]: Json }): FramedAnswer =>
  jsonAnswer(200, toWire(value) as object)

/** The endpoints of the operations on users. */
export const userEndpoints: Readonly<
  Record<Exclude<UserOperation, 'impersonateUser'>, UserEndpoint>
> = {
  getUsers: {
    async answer(auth, { query }) {
      const text = query.get('search')?.trim() ?? ''
      if (text !== '') return ownAnswer({ items: (await searchUsers(auth, text)).map(userData) })
      const { items, next } = await listUsers(auth, pageQuery(query))
      return ownAnswer({ items: items.map(userData), ...(next === undefined ? {} : { next }) })
    },
  },
  createUser: {
    maxBytes: oneUser,
    async answer(auth, { body }) {
      const user = fromWire(await decodeNewUser(body))
      try {
        // The schema has checked the types; the operation checks the values, and refuses unknown members.
        return ownAnswer({ id: await createUser(auth, user as unknown as NewUser) })
      } catch (error) {
        throw withWireKeys(error, 'user')
      }
    },
  },
  importUsers: {
    maxBytes: manyUsers,
    async answer(auth, { body }) {
      const { users } = await decodeImportUsers(body)
      const outcomes = await importUsers(auth, users)
      return ownAnswer({ items: outcomes.map(importOutcomeData) })
    },
  },
  getUser: {
    answer: async (auth, { id }) => ownAnswer(userAccountData(await getUserAccount(auth, id))),
  },
  deleteUser: {
    async answer(auth, { id }) {
      await deleteUser(auth, id)
      return emptyAnswer(200)
    },
  },
  disableUser: {
    maxBytes: oneUser,
    async answer(auth, { id, body }) {
      await disableUser(auth, id, await decodeDisabling(body))
      return emptyAnswer(200)
    },
  },
  enableUser: {
    async answer(auth, { id }) {
      await enableUser(auth, id)
      return emptyAnswer(200)
    },
  },
  getUserEvents: {
    async answer(auth, { id, query }) {
      const { items, next } = await listAuthEvents(auth, {
        user_id: id,
        ...pageQuery(query),
      })
      return ownAnswer({ items: items.map(auditedEventData), ...(next && { next }) })
    },
  },
  resetLockout: {
    async answer(auth, { id }) {
      // Without this, a user who does not exist would get no error.
      await getUser(auth, id)
      await resetLockout(auth, id)
      return emptyAnswer(200)
    },
  },
  revokeUserSessions: {
    answer: async (auth, { id }) => ownAnswer({ revoked: await revokeUserSessions(auth, id) }),
  },
  revokeUserSession: {
    async answer(auth, { id, session }) {
      await revokeUserSession(auth, id, session)
      return emptyAnswer(200)
    },
  },
  getUserApps: {
    async answer(auth, { id, query, exchange: { request, info } }) {
      const asked = new URLSearchParams({ ui_locales: query.get('uiLocales') ?? '' })
      const context = { ...requestContext(request, info), query: String(asked) }
      const apps = await listUserApps(auth, id, context)
      return ownAnswer({ items: apps.map(appData) })
    },
  },
  revokeUserApp: {
    async answer(auth, { id, app }) {
      await revokeUserApp(auth, id, app)
      return emptyAnswer(200)
    },
  },
  getInvitations: {
    async answer(auth, { query }) {
      const { items, next } = await listInvitations(auth, pageQuery(query))
      return ownAnswer({
        items: items.map(invitationData),
        ...(next === undefined ? {} : { next }),
      })
    },
  },
  createInvitation: {
    maxBytes: oneUser,
    async answer(auth, { body, operator }) {
      const given = fromWire(await decodeNewInvitation(body)) as unknown as NewInvitation
      try {
        const own = Object.keys(given).find((name) => name === 'send' || name === 'invited_by')
        if (own !== undefined)
          throw invalidInput(`invitation.${own}`, 'no such key', 'an unknown key')
        const by = operator === undefined ? {} : { invited_by: operator }
        const { invitation } = await createInvitation(auth, { ...given, ...by })
        // The link would let the operator sign up as the owner of the address.
        return ownAnswer(invitationData(invitation))
      } catch (error) {
        throw withWireKeys(error, 'invitation')
      }
    },
  },
  revokeInvitation: {
    async answer(auth, { id }) {
      await revokeInvitation(auth, id)
      return emptyAnswer(200)
    },
  },
  resendInvitation: {
    answer: async (auth, { id }) => ownAnswer(invitationData(await resendInvitation(auth, id))),
  },
  getApiKeys: {
    action: 'api-keys:manage',
    async answer(auth, { query }) {
      const { scopes, max_lifetime_days: days = null } = apiKeysConfig(auth)
      const { items, next } = await listedKeys(auth, query)
      return ownAnswer({
        items: items.map(apiKeyData),
        scopes: [...scopes],
        max_lifetime_days: days,
        ...(next === undefined ? {} : { next }),
      })
    },
  },
  createApiKey: {
    action: 'api-keys:manage',
    maxBytes: oneUser,
    async answer(auth, { body }) {
      const given = fromWire(await decodeOwnedApiKey(body)) as unknown as OwnedApiKey
      try {
        const { key, api_key } = await createApiKey(auth, given)
        return ownAnswer({ key, api_key: apiKeyData(api_key) })
      } catch (error) {
        throw withWireKeys(error, 'apiKey')
      }
    },
  },
  revokeApiKey: {
    action: 'api-keys:manage',
    async answer(auth, { id }) {
      await revokeApiKey(auth, id)
      return emptyAnswer(200)
    },
  },
}

/** The keys of the owner in a query, all of them; without an owner, those of all services by page. The operation refuses two owners. */
async function listedKeys(auth: AuthContext, query: URLSearchParams): Promise<ApiKeyPage> {
  const [user_id, service] = [query.get('user') ?? undefined, query.get('service') ?? undefined]
  if (user_id === undefined && service === undefined) {
    return listServiceApiKeys(auth, pageQuery(query))
  }
  return { items: await listApiKeys(auth, { user_id, service } as ApiKeyOwner) }
}
