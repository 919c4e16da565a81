import type { CallOptions, Requester } from '../request.ts'
import type {
  AuditedEvents,
  ImportedUser,
  ImportOutcome,
  Invitation,
  InvitationsPage,
  InvitationsQuery,
  NewInvitation,
  NewUser,
  UserAccount,
  UserEventsQuery,
  UsersPage,
  UsersQuery,
} from '../types.ts'

/**
 * Manages users, for operators: the server must serve these routes, and the sender needs the right `users:manage`. Every call may
 * fail with a `GatehouseClientError`: `NotAuthenticated`, `NotAllowed`, `UserNotFound`, or `NotFound` if they are not served.
 */
export interface UsersClient {
  /** Users, the newest first; with `search`, those that match. */
  list(query?: UsersQuery, options?: CallOptions): Promise<UsersPage>
  /** A user, with identities, authenticators, sessions and failed attempts. */
  get(id: string, options?: CallOptions): Promise<UserAccount>
  /** What happened to a user, newest first. */
  events(id: string, query?: UserEventsQuery, options?: CallOptions): Promise<AuditedEvents>
  /** Creates a user. Returns the id. */
  create(user: NewUser, options?: CallOptions): Promise<string>
  /** Imports at most 1,000 users. Returns what happened to each. */
  import(users: readonly ImportedUser[], options?: CallOptions): Promise<readonly ImportOutcome[]>
  /** Disables a user. The user sees the reason at login. */
  disable(id: string, reason?: string, options?: CallOptions): Promise<void>
  enable(id: string, options?: CallOptions): Promise<void>
  /** Deletes a user and everything that belongs to the user. */
  delete(id: string, options?: CallOptions): Promise<void>
  /** Ends a session of a user. */
  revokeSession(id: string, sessionId: string, options?: CallOptions): Promise<void>
  /** Ends all sessions of a user; returns how many. */
  revokeSessions(id: string, options?: CallOptions): Promise<number>
  /** Forgets the failed attempts against a user. */
  resetLockout(id: string, options?: CallOptions): Promise<void>
  /** The invitations that are open, the newest first. */
  invitations(query?: InvitationsQuery, options?: CallOptions): Promise<InvitationsPage>
  /**
   * Invites the owner of an email address to sign up. May fail with `InvitationExists`, `InvitationsDisabled`,
   * `InvitationNotSent`, or `InvariantViolated` if a user has the address.
   */
  invite(invitation: NewInvitation, options?: CallOptions): Promise<Invitation>
  /** Sends the mail of an invitation again. May fail with `InvitationNotFound`, or `RateLimited` within a minute. */
  resendInvitation(id: string, options?: CallOptions): Promise<Invitation>
  /** Revokes an invitation: its link is good no more. */
  revokeInvitation(id: string, options?: CallOptions): Promise<void>
}

/** The part of the client for operators. */
export function createUsersClient({ json }: Requester): UsersClient {
  const at = (id: string, rest = ''): string => `/${encodeURIComponent(id)}${rest}`
  type Call = <T>(
    method: 'GET' | 'POST' | 'DELETE',
    place: string,
    options?: CallOptions,
    more?: { readonly body?: object; readonly query?: object | undefined },
  ) => Promise<T>
  const callBelow =
    (root: string): Call =>
    (method, place, options, more = {}) =>
      json(`/gatehouse/v1/${root}${place}`, { method, ...more, ...options })
  const call = callBelow('users')
  const callInvitations = callBelow('invitations')
  return {
    list: (query, options) => call('GET', '', options, { query }),
    get: (id, options) => call('GET', at(id), options),
    events: (id, query, options) => call('GET', at(id, '/events'), options, { query }),
    create: async (user, options) =>
      (await call<{ id: string }>('POST', '', options, { body: user })).id,
    import: async (users, options) => {
      const more = { body: { users } }
      const answer = await call<{ items: readonly ImportOutcome[] }>(
        'POST',
        '/import',
        options,
        more,
      )
      return answer.items
    },
    disable: (id, reason, options) =>
      call('POST', at(id, '/disable'), options, { body: { reason } }),
    enable: (id, options) => call('POST', at(id, '/enable'), options),
    delete: (id, options) => call('DELETE', at(id), options),
    revokeSession: (id, sessionId, options) =>
      call('DELETE', at(id, `/sessions${at(sessionId)}`), options),
    revokeSessions: async (id, options) =>
      (await call<{ revoked: number }>('DELETE', at(id, '/sessions'), options)).revoked,
    resetLockout: (id, options) => call('DELETE', at(id, '/lockout'), options),
    invitations: (query, options) => callInvitations('GET', '', options, { query }),
    invite: (invitation, options) => callInvitations('POST', '', options, { body: invitation }),
    resendInvitation: (id, options) => callInvitations('POST', at(id, '/resend'), options),
    revokeInvitation: (id, options) => callInvitations('DELETE', at(id), options),
  }
}
