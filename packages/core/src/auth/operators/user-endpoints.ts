import { emptyAnswer } from '../../http/answer.ts'
import type { Json } from '../../storage/storage.ts'
import type { AuthContext } from '../context.ts'
import {
  decodeDisabling,
  decodeImportUsers,
  decodeNewInvitation,
  decodeNewUser,
} from '../http/decode-body.ts'
import { jsonAnswer } from '../http/error-response.ts'
import { pageQuery } from '../http/page-query.ts'
import type { FramedAnswer } from '../http/request-frame.ts'
import { resendInvitation, revokeInvitation } from '../invitations/change-invitation.ts'
import { createInvitation, type NewInvitation } from '../invitations/create-invitation.ts'
import { listInvitations } from '../invitations/list-invitations.ts'
import { createUser, type NewUser } from '../people/create-user.ts'
import { deleteUser } from '../people/delete-user.ts'
import { getUser } from '../people/get-user.ts'
import { importUsers } from '../people/import-users.ts'
import { listAuthEvents } from '../people/list-auth-events.ts'
import { listUsers } from '../people/list-users.ts'
import { resetLockout } from '../people/lockouts.ts'
import { disableUser, enableUser } from '../people/update-user.ts'
import { getUserAccount } from './get-user-account.ts'
import { revokeUserSession, revokeUserSessions } from './revoke-user-sessions.ts'
import { searchUsers } from './search-users.ts'
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
  /** The user or the invitation of the path; empty without one. */
  readonly id: string
  /** The session of the path; empty without one. */
  readonly session: string
  readonly query: URLSearchParams
  readonly body: Json
  /** The name of the operator. */
  readonly operator: string | undefined
}

/** The handler of requests to one path by one method. */
export interface UserEndpoint {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Relative to `/gatehouse/v1`. */
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

/** The paths for operators, each with its methods. */
export const userEndpoints: readonly UserEndpoint[] = [
  {
    method: 'GET',
    path: '/users',
    async answer(auth, { query }) {
      const text = query.get('search')?.trim() ?? ''
      if (text !== '') return ownAnswer({ items: (await searchUsers(auth, text)).map(userData) })
      const { items, next } = await listUsers(auth, pageQuery(query))
      return ownAnswer({ items: items.map(userData), ...(next === undefined ? {} : { next }) })
    },
  },
  {
    method: 'POST',
    path: '/users',
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
  {
    method: 'POST',
    path: '/users/import',
    maxBytes: manyUsers,
    async answer(auth, { body }) {
      const { users } = await decodeImportUsers(body)
      const outcomes = await importUsers(auth, users)
      return ownAnswer({ items: outcomes.map(importOutcomeData) })
    },
  },
  {
    method: 'GET',
    path: '/users/:id',
    answer: async (auth, { id }) => ownAnswer(userAccountData(await getUserAccount(auth, id))),
  },
  {
    method: 'DELETE',
    path: '/users/:id',
    async answer(auth, { id }) {
      await deleteUser(auth, id)
      return emptyAnswer(200)
    },
  },
  {
    method: 'POST',
    path: '/users/:id/disable',
    maxBytes: oneUser,
    async answer(auth, { id, body }) {
      await disableUser(auth, id, await decodeDisabling(body))
      return emptyAnswer(200)
    },
  },
  {
    method: 'POST',
    path: '/users/:id/enable',
    async answer(auth, { id }) {
      await enableUser(auth, id)
      return emptyAnswer(200)
    },
  },
  {
    method: 'GET',
    path: '/users/:id/events',
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
    path: '/users/:id/lockout',
    async answer(auth, { id }) {
      // Without this, a user who does not exist would get no error.
      await getUser(auth, id)
      await resetLockout(auth, id)
      return emptyAnswer(200)
    },
  },
  {
    method: 'DELETE',
    path: '/users/:id/sessions',
    answer: async (auth, { id }) => ownAnswer({ revoked: await revokeUserSessions(auth, id) }),
  },
  {
    method: 'DELETE',
    path: '/users/:id/sessions/:session',
    async answer(auth, { id, session }) {
      await revokeUserSession(auth, id, session)
      return emptyAnswer(200)
    },
  },
  {
    method: 'GET',
    path: '/invitations',
    async answer(auth, { query }) {
      const { items, next } = await listInvitations(auth, pageQuery(query))
      return ownAnswer({
        items: items.map(invitationData),
        ...(next === undefined ? {} : { next }),
      })
    },
  },
  {
    method: 'POST',
    path: '/invitations',
    maxBytes: oneUser,
    async answer(auth, { body, operator }) {
      const given = fromWire(await decodeNewInvitation(body)) as unknown as NewInvitation
      try {
        const by = operator === undefined ? {} : { invited_by: operator }
        const { invitation } = await createInvitation(auth, { ...given, ...by })
        // The link would let the operator sign up as the owner of the address.
        return ownAnswer(invitationData(invitation))
      } catch (error) {
        throw withWireKeys(error, 'invitation')
      }
    },
  },
  {
    method: 'DELETE',
    path: '/invitations/:id',
    async answer(auth, { id }) {
      await revokeInvitation(auth, id)
      return emptyAnswer(200)
    },
  },
  {
    method: 'POST',
    path: '/invitations/:id/resend',
    answer: async (auth, { id }) => ownAnswer(invitationData(await resendInvitation(auth, id))),
  },
]
