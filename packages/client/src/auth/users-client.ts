import { createCaller } from '../call.ts'
import type { CallOptions, Requester } from '../request.ts'
import type {
  ApiKeysQuery,
  AuditedEvents,
  AuthCalls,
  CreatedOwnedApiKey,
  ImpersonatedSession,
  ImportedUser,
  ImportOutcome,
  Invitation,
  InvitationsPage,
  InvitationsQuery,
  ListedApiKeys,
  NewInvitation,
  NewOwnedApiKey,
  NewUser,
  UserAccount,
  UserApp,
  UserAppsQuery,
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
  /** The apps that a user has let in at the authorization server, the last used first. */
  apps(id: string, query?: UserAppsQuery, options?: CallOptions): Promise<readonly UserApp[]>
  /** Takes back what a user has let an app do. May fail with `AppNotFound`. */
  revokeApp(id: string, clientId: string, options?: CallOptions): Promise<void>
  /** Forgets the failed attempts against a user. */
  resetLockout(id: string, options?: CallOptions): Promise<void>
  /**
   * Acts as a user for a short time: the answer replaces the session cookie of this browser. Needs the right `users:impersonate`,
   * and may fail with `ImpersonationForbidden` if the user may do more.
   */
  impersonate(id: string, reason: string, options?: CallOptions): Promise<ImpersonatedSession>
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
  /**
   * The API keys of a user or a service, newest first, and what new ones may be. Keys need the right `api-keys:manage`, and may fail
   * with `ApiKeysDisabled`.
   */
  apiKeys(query: ApiKeysQuery, options?: CallOptions): Promise<ListedApiKeys>
  /** Creates an API key. Only this answer has the key itself. May fail with `ApiKeyLimitReached`. */
  createApiKey(key: NewOwnedApiKey, options?: CallOptions): Promise<CreatedOwnedApiKey>
  /** Ends an API key at once. May fail with `ApiKeyNotFound`. */
  revokeApiKey(id: string, options?: CallOptions): Promise<void>
}

/** The part of the client for operators. */
export function createUsersClient(requester: Requester): UsersClient {
  const call = createCaller<AuthCalls>(requester)
  return {
    list: (query, options) => call('GET /gatehouse/v1/users', { query }, options),
    get: (id, options) => call('GET /gatehouse/v1/users/:id', { path: { id } }, options),
    events: (id, query, options) =>
      call('GET /gatehouse/v1/users/:id/events', { path: { id }, query }, options),
    create: async (body, options) => (await call('POST /gatehouse/v1/users', { body }, options)).id,
    import: async (users, options) =>
      (await call('POST /gatehouse/v1/users/import', { body: { users } }, options)).items,
    disable: (id, reason, options) =>
      call(
        'POST /gatehouse/v1/users/:id/disable',
        { path: { id }, body: reason === undefined ? {} : { reason } },
        options,
      ),
    enable: (id, options) => call('POST /gatehouse/v1/users/:id/enable', { path: { id } }, options),
    delete: (id, options) => call('DELETE /gatehouse/v1/users/:id', { path: { id } }, options),
    revokeSession: (id, session, options) =>
      call('DELETE /gatehouse/v1/users/:id/sessions/:session', { path: { id, session } }, options),
    revokeSessions: async (id, options) =>
      (await call('DELETE /gatehouse/v1/users/:id/sessions', { path: { id } }, options)).revoked,
    apps: async (id, query, options) =>
      (await call('GET /gatehouse/v1/users/:id/apps', { path: { id }, query }, options)).items,
    revokeApp: (id, app, options) =>
      call('DELETE /gatehouse/v1/users/:id/apps/:app', { path: { id, app } }, options),
    resetLockout: (id, options) =>
      call('DELETE /gatehouse/v1/users/:id/lockout', { path: { id } }, options),
    invitations: (query, options) => call('GET /gatehouse/v1/invitations', { query }, options),
    invite: (body, options) => call('POST /gatehouse/v1/invitations', { body }, options),
    resendInvitation: (id, options) =>
      call('POST /gatehouse/v1/invitations/:id/resend', { path: { id } }, options),
    revokeInvitation: (id, options) =>
      call('DELETE /gatehouse/v1/invitations/:id', { path: { id } }, options),
    apiKeys: (query, options) => call('GET /gatehouse/v1/api-keys', { query }, options),
    createApiKey: (body, options) => call('POST /gatehouse/v1/api-keys', { body }, options),
    revokeApiKey: (id, options) =>
      call('DELETE /gatehouse/v1/api-keys/:id', { path: { id } }, options),
    impersonate: (id, reason, options) =>
      call('POST /gatehouse/v1/users/:id/impersonate', { path: { id }, body: { reason } }, options),
  }
}
