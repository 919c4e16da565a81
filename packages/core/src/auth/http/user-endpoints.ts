import type { Json } from '../../storage/storage.ts'
import type { AuthContext } from '../context.ts'
import { listAuthEvents } from '../events/list-auth-events.ts'
import { resetLockout } from '../limits/lockouts.ts'
import { getUserAccount } from '../user-api/get-user-account.ts'
import { revokeUserSession, revokeUserSessions } from '../user-api/revoke-user-sessions.ts'
import { searchUsers } from '../user-api/search-users.ts'
import {
  auditedEventData,
  importOutcomeData,
  userAccountData,
  userData,
} from '../user-api/user-data.ts'
import { createUser, type NewUser } from '../users/create-user.ts'
import { deleteUser } from '../users/delete-user.ts'
import { getUser } from '../users/get-user.ts'
import { importUsers } from '../users/import-users.ts'
import { listUsers } from '../users/list-users.ts'
import { type DisableUserOptions, disableUser, enableUser } from '../users/update-user.ts'
import { okAnswer } from './account-endpoints.ts'
import { decodeImportUsers } from './decode-body.ts'
import type { FramedAnswer } from './request-frame.ts'

/** A request about users. */
export interface UsersCall {
  /** The user of the path; empty without one. */
  readonly id: string
  /** The session of the path; empty without one. */
  readonly session: string
  readonly query: URLSearchParams
  readonly body: Json
}

/** The handler of requests to one path by one method. */
export interface UserEndpoint {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Relative to the path of users. */
  readonly path: string
  /** The largest body in bytes (default: it takes none). */
  readonly mostBytes?: number
  answer(auth: AuthContext, call: UsersCall): Promise<FramedAnswer>
}

const oneUser = 65_536
const manyUsers = 4 * 1_048_576

/** Only digits; anything else is left to the operation to refuse. */
const limitOf = (query: URLSearchParams): { limit?: number } => {
  const text = query.get('limit')
  return text === null ? {} : { limit: /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN }
}

const afterOf = (query: URLSearchParams): { after?: string } => {
  const after = query.get('after')
  return after === null ? {} : { after }
}

/** The paths below that of users, each with its methods. */
export const userEndpoints: readonly UserEndpoint[] = [
  {
    method: 'GET',
    path: '',
    async answer(auth, { query }) {
      const text = query.get('search')?.trim() ?? ''
      if (text !== '') return okAnswer({ users: (await searchUsers(auth, text)).map(userData) })
      const { users, next } = await listUsers(auth, { ...limitOf(query), ...afterOf(query) })
      return okAnswer({ users: users.map(userData), ...(next === undefined ? {} : { next }) })
    },
  },
  {
    method: 'POST',
    path: '',
    mostBytes: oneUser,
    // The operation checks the types of all members.
    answer: async (auth, { body }) =>
      okAnswer({ user_id: await createUser(auth, body as unknown as NewUser) }),
  },
  {
    method: 'POST',
    path: '/import',
    mostBytes: manyUsers,
    async answer(auth, { body }) {
      const outcomes = await importUsers(auth, decodeImportUsers(body).users)
      return okAnswer({ outcomes: outcomes.map(importOutcomeData) })
    },
  },
  {
    method: 'GET',
    path: '/:id',
    answer: async (auth, { id }) => okAnswer(userAccountData(await getUserAccount(auth, id))),
  },
  {
    method: 'DELETE',
    path: '/:id',
    async answer(auth, { id }) {
      await deleteUser(auth, id)
      return okAnswer()
    },
  },
  {
    method: 'POST',
    path: '/:id/disable',
    mostBytes: oneUser,
    async answer(auth, { id, body }) {
      // The operation checks the types of all members.
      await disableUser(auth, id, body as DisableUserOptions)
      return okAnswer()
    },
  },
  {
    method: 'POST',
    path: '/:id/enable',
    async answer(auth, { id }) {
      await enableUser(auth, id)
      return okAnswer()
    },
  },
  {
    method: 'GET',
    path: '/:id/events',
    async answer(auth, { id, query }) {
      const { items, next } = await listAuthEvents(auth, {
        user_id: id,
        ...limitOf(query),
        ...afterOf(query),
      })
      return okAnswer({ items: items.map(auditedEventData), ...(next && { next }) })
    },
  },
  {
    method: 'DELETE',
    path: '/:id/lockout',
    async answer(auth, { id }) {
      // A lockout of nobody would be deleted without an error.
      await getUser(auth, id)
      await resetLockout(auth, id)
      return okAnswer()
    },
  },
  {
    method: 'DELETE',
    path: '/:id/sessions',
    answer: async (auth, { id }) => okAnswer({ revoked: await revokeUserSessions(auth, id) }),
  },
  {
    method: 'DELETE',
    path: '/:id/sessions/:session',
    async answer(auth, { id, session }) {
      await revokeUserSession(auth, id, session)
      return okAnswer()
    },
  },
]
