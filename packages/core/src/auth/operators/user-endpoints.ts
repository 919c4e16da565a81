import { emptyAnswer } from '../../http/answer.ts'
import type { Json } from '../../storage/storage.ts'
import type { AuthContext } from '../context.ts'
import { decodeImportUsers } from '../http/decode-body.ts'
import { jsonAnswer } from '../http/error-response.ts'
import { pageQuery } from '../http/page-query.ts'
import type { FramedAnswer } from '../http/request-frame.ts'
import { createUser, type NewUser } from '../people/create-user.ts'
import { deleteUser } from '../people/delete-user.ts'
import { getUser } from '../people/get-user.ts'
import { importUsers } from '../people/import-users.ts'
import { listAuthEvents } from '../people/list-auth-events.ts'
import { listUsers } from '../people/list-users.ts'
import { resetLockout } from '../people/lockouts.ts'
import { type DisableUserOptions, disableUser, enableUser } from '../people/update-user.ts'
import { getUserAccount } from './get-user-account.ts'
import { revokeUserSession, revokeUserSessions } from './revoke-user-sessions.ts'
import { searchUsers } from './search-users.ts'
import { auditedEventData, importOutcomeData, userAccountData, userData } from './user-data.ts'
import { fromWire, toWire, withWireKeys } from './wire-keys.ts'

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
  readonly maxBytes?: number
  answer(auth: AuthContext, call: UsersCall): Promise<FramedAnswer>
}

const oneUser = 65_536
const manyUsers = 4 * 1_048_576

/** The answer of a successful operation, with the keys of our own API. */
const ownAnswer = (value: { readonly [name: string]: Json }): FramedAnswer =>
  jsonAnswer(200, toWire(value) as object)

/** The paths below that of users, each with its methods. */
export const userEndpoints: readonly UserEndpoint[] = [
  {
    method: 'GET',
    path: '',
    async answer(auth, { query }) {
      const text = query.get('search')?.trim() ?? ''
      if (text !== '') return ownAnswer({ items: (await searchUsers(auth, text)).map(userData) })
      const { items, next } = await listUsers(auth, pageQuery(query))
      return ownAnswer({ items: items.map(userData), ...(next === undefined ? {} : { next }) })
    },
  },
  {
    method: 'POST',
    path: '',
    maxBytes: oneUser,
    async answer(auth, { body }) {
      try {
        // The operation checks the types of all members.
        return ownAnswer({ id: await createUser(auth, fromWire(body) as unknown as NewUser) })
      } catch (error) {
        throw withWireKeys(error, 'user')
      }
    },
  },
  {
    method: 'POST',
    path: '/import',
    maxBytes: manyUsers,
    async answer(auth, { body }) {
      const { users } = await decodeImportUsers(body)
      const outcomes = await importUsers(auth, users)
      return ownAnswer({ items: outcomes.map(importOutcomeData) })
    },
  },
  {
    method: 'GET',
    path: '/:id',
    answer: async (auth, { id }) => ownAnswer(userAccountData(await getUserAccount(auth, id))),
  },
  {
    method: 'DELETE',
    path: '/:id',
    async answer(auth, { id }) {
      await deleteUser(auth, id)
      return emptyAnswer(200)
    },
  },
  {
    method: 'POST',
    path: '/:id/disable',
    maxBytes: oneUser,
    async answer(auth, { id, body }) {
      // The operation checks the types of all members.
      await disableUser(auth, id, body as DisableUserOptions)
      return emptyAnswer(200)
    },
  },
  {
    method: 'POST',
    path: '/:id/enable',
    async answer(auth, { id }) {
      await enableUser(auth, id)
      return emptyAnswer(200)
    },
  },
  {
    method: 'GET',
    path: '/:id/events',
    async answer(auth, { id, query }) {
      const { items, next } = await listAuthEvents(auth, {
        user_id: id,
        ...pageQuery(query),
      })
      return ownAnswer({ items: items.map(auditedEventData), ...(next && { next }) })
    },
  },
  {
    method: 'DELETE',
    path: '/:id/lockout',
    async answer(auth, { id }) {
      // Without this, a user who does not exist would get no error.
      await getUser(auth, id)
      await resetLockout(auth, id)
      return emptyAnswer(200)
    },
  },
  {
    method: 'DELETE',
    path: '/:id/sessions',
    answer: async (auth, { id }) => ownAnswer({ revoked: await revokeUserSessions(auth, id) }),
  },
  {
    method: 'DELETE',
    path: '/:id/sessions/:session',
    async answer(auth, { id, session }) {
      await revokeUserSession(auth, id, session)
      return emptyAnswer(200)
    },
  },
]
