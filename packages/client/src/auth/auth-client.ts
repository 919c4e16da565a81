import { createCaller } from '../call.ts'
import { isClientError } from '../client-error.ts'
import {
  type CallOptions,
  type ClientOptions,
  createRequester,
  type Requester,
} from '../request.ts'
import type {
  Account,
  AccountChange,
  AccountExport,
  AccountProfile,
  AccountSession,
  AccountUser,
  ActivityPage,
  AppsQuery,
  AuthCalls,
  AuthorizedApp,
  CreatedApiKey,
  FlowInput,
  FlowState,
  NewFlowType,
  OwnApiKeys,
  ProfileChange,
  ScheduledDeletion,
} from '../types.ts'
import { type Flow, flowAt, refusedState, requestState } from './flow.ts'
import { createUsersClient, type UsersClient } from './users-client.ts'

/** How to begin a flow. */
export interface FlowOptions extends CallOptions {
  /** The name of a declared flow (default `default`). */
  readonly name?: string
  /** Inputs to send at once. */
  readonly inputs?: readonly FlowInput[]
  /** The query of the authorization request, where an authorization server has sent the browser to the page. */
  readonly query?: string
  /** Passed on to hooks. */
  readonly clientContext?: unknown
}

/** A new account recovery; or with the code of a link the one that sent it, in any browser. */
export interface RecoverOptions extends FlowOptions {
  readonly code?: string
}

/** A session and its user. */
export interface CurrentSession extends AccountSession {
  readonly user: AccountUser
}

/** Signs up, signs in, and manages the account of the signed-in user. */
export interface AuthClient {
  /** Begins a login. @throws {GatehouseClientError} */
  login(options?: FlowOptions): Promise<Flow>
  /** Begins a sign-up. @throws {GatehouseClientError} */
  signup(options?: FlowOptions): Promise<Flow>
  /** Begins an account recovery. @throws {GatehouseClientError} */
  recover(options?: RecoverOptions): Promise<Flow>
  /** Begins a flow of any type, such as `signup_login`, `reauth` or `promote`. @throws {GatehouseClientError} */
  begin(type: NewFlowType, options?: FlowOptions): Promise<Flow>
  /** Continues a flow by its token. @throws {GatehouseClientError} `AuthenticationFlowNotFound` if it is over. */
  resume(token: string, options?: CallOptions): Promise<Flow>
  /** The flow that refused an input, to show it again; `undefined` if the failure is not of a flow. */
  refused(error: unknown): Flow | undefined
  /** Approves a link that was sent, by its code. @throws {GatehouseClientError} `InvalidOTPCode` */
  approveLink(code: string, options?: CallOptions): Promise<void>
  /** The session of the browser; `undefined` if the browser has none. @throws {GatehouseClientError} */
  session(options?: CallOptions): Promise<CurrentSession | undefined>
  /** Ends the session of the browser. @throws {GatehouseClientError} */
  signOut(options?: CallOptions): Promise<void>
  readonly account: AccountClient
  readonly users: UsersClient
}

/** Which page of the activity. */
export interface ActivityOptions extends CallOptions {
  /** From 1 to 1,000 (default 100). */
  readonly limit?: number
  /** The `next` of the page before. */
  readonly after?: string
}

/** The account of the signed-in user. All calls need a session; without one they fail with `NotAuthenticated`. */
export interface AccountClient {
  /** @throws {GatehouseClientError} */
  get(options?: CallOptions): Promise<Account>
  /** A page of what happened to the account, newest first. @throws {GatehouseClientError} */
  activity(options?: ActivityOptions): Promise<ActivityPage>
  /** All data of the user, without secrets, for the user to keep. @throws {GatehouseClientError} */
  export(options?: CallOptions): Promise<AccountExport>
  /**
   * Deletes the account after a time to change one's mind, in which a sign-in offers to keep it. All sessions end.
   *
   * @throws {GatehouseClientError} `AccountDeletionDisabled`, `ReauthenticationRequired`
   */
  scheduleDeletion(options?: CallOptions): Promise<ScheduledDeletion>
  /** Begins a flow that changes the account. @throws {GatehouseClientError} `ReauthenticationRequired`, … */
  change(change: AccountChange, options?: CallOptions): Promise<Flow>
  /** Changes attributes of the profile. @throws {GatehouseClientError} `ValidationFailed`, `AccessControlViolated`, … */
  updateProfile(changes: readonly ProfileChange[], options?: CallOptions): Promise<AccountProfile>
  /** @throws {GatehouseClientError} `IdentityNotFound`, … */
  removeIdentity(id: string, options?: CallOptions): Promise<void>
  /** @throws {GatehouseClientError} `AuthenticatorNotFound`, … */
  removeAuthenticator(id: string, options?: CallOptions): Promise<void>
  /** @throws {GatehouseClientError} `SessionNotFound` */
  revokeSession(id: string, options?: CallOptions): Promise<void>
  /** Ends all sessions but this one; returns how many. @throws {GatehouseClientError} */
  revokeOtherSessions(options?: CallOptions): Promise<number>
  /** Trusts no device any more; returns how many there were. @throws {GatehouseClientError} */
  revokeDeviceTokens(options?: CallOptions): Promise<number>
  /**
   * The apps that the user has let in at the authorization server, the last used first; words are in the language of `ui_locales`.
   *
   * @throws {GatehouseClientError}
   */
  apps(options?: CallOptions & AppsQuery): Promise<readonly AuthorizedApp[]>
  /** Takes back what the user has let an app do, by its client id. @throws {GatehouseClientError} `AppNotFound` */
  revokeApp(clientId: string, options?: CallOptions): Promise<void>
  /** The API keys of the user, and what new ones may be. @throws {GatehouseClientError} `ApiKeysDisabled` */
  apiKeys(options?: CallOptions): Promise<OwnApiKeys>
  /**
   * Creates an API key. Only this answer has the key itself.
   *
   * @throws {GatehouseClientError} `ApiKeysDisabled`, `ApiKeyLimitReached`, `ReauthenticationRequired`, `InvalidInput`
   */
  createApiKey(
    key: AuthCalls['POST /api/v1/account/api-keys']['request']['body'],
    options?: CallOptions,
  ): Promise<CreatedApiKey>
  /** @throws {GatehouseClientError} `ApiKeyNotFound` */
  revokeApiKey(id: string, options?: CallOptions): Promise<void>
}

const usualBasePath = '/api/v1/account'

/** Options of {@link createAuthClient}. */
export interface AuthClientOptions extends ClientOptions {
  /** The path of the account routes below `url` (default `/api/v1/account`). */
  readonly accountBasePath?: string
}

/**
 * A client of the sign-in service.
 *
 * @example
 * const auth = createAuthClient({ url: 'https://auth.example.com' })
 * let flow = await auth.login()
 * if (flow.prompt === 'identification_data') {
 *   flow = await flow.submit({ identification: 'email', login_id: 'maya@example.com' })
 * }
 */
export function createAuthClient(options: AuthClientOptions = {}): AuthClient {
  const requester = createRequester(options)
  const at = (state: FlowState): Flow => flowAt(requester, state)
  const begin: AuthClient['begin'] = async (type, given = {}) => {
    const { name = 'default', inputs, query, clientContext, signal } = given
    const body = {
      type,
      name,
      batch_input: inputs,
      url_query: query,
      client_context: clientContext,
    }
    return at(
      await requestState(requester, 'POST /api/v1/authentication_flows', body, signalOf(signal)),
    )
  }
  const call = createCaller<AuthCalls>(requester)
  const { signOut, account } = createAccountClient(
    requester,
    options.accountBasePath ?? usualBasePath,
    at,
  )
  return {
    begin,
    login: (given) => begin('login', given),
    signup: (given) => begin('signup', given),
    async recover({ code, ...given } = {}) {
      if (code === undefined) return begin('account_recovery', given)
      const body = { input: { account_recovery_code: code } }
      return at(
        await requestState(
          requester,
          'POST /api/v1/authentication_flows/states/input',
          body,
          signalOf(given.signal),
        ),
      )
    },
    async resume(token, given) {
      return at(
        await requestState(
          requester,
          'POST /api/v1/authentication_flows/states',
          { state_token: token },
          given,
        ),
      )
    },
    refused(error) {
      const state = refusedState(error)
      return state && at(state)
    },
    async approveLink(code, given) {
      await call('POST /api/v1/authentication_flows/links/approve', { body: { code } }, given)
    },
    async session(given) {
      try {
        const { user, sessions } = await account.get(given)
        const current = sessions.find(({ is_current }) => is_current)
        return current && { ...current, user }
      } catch (error) {
        if (isClientError(error, 'NotAuthenticated')) return undefined
        throw error
      }
    },
    signOut,
    account,
    users: createUsersClient(requester),
  }
}

const signalOf = (signal: AbortSignal | undefined): CallOptions =>
  signal === undefined ? {} : { signal }

function createAccountClient(
  { json }: Requester,
  basePath: string,
  at: (state: FlowState) => Flow,
): Pick<AuthClient, 'signOut' | 'account'> {
  const call = createCaller<AuthCalls>({
    json: (path, call) =>
      json(
        path.replace(usualBasePath, () => basePath),
        call,
      ),
  })
  type Removal = Extract<keyof AuthCalls, `DELETE /api/v1/account/${string}`>
  const remove =
    (place: Removal) =>
    async (id: string, options?: CallOptions): Promise<void> => {
      await call(place, { path: { id } }, options)
    }
  return {
    async signOut(options) {
      await call('POST /api/v1/account/sign-out', {}, options)
    },
    account: {
      get: async (options) => (await call('GET /api/v1/account', {}, options)).result,
      activity: async ({ signal, ...query } = {}) =>
        (await call('GET /api/v1/account/activity', { query }, signalOf(signal))).result,
      export: async (options) => (await call('GET /api/v1/account/export', {}, options)).result,
      scheduleDeletion: async (options) =>
        (await call('POST /api/v1/account/deletion', {}, options)).result,
      change: async (body, options) =>
        at((await call('POST /api/v1/account/flows', { body }, options)).result),
      updateProfile: async (attributes, options) =>
        (await call('PATCH /api/v1/account/profile', { body: { attributes } }, options)).result,
      removeIdentity: remove('DELETE /api/v1/account/identities/:id'),
      removeAuthenticator: remove('DELETE /api/v1/account/authenticators/:id'),
      revokeSession: remove('DELETE /api/v1/account/sessions/:id'),
      revokeOtherSessions: async (options) =>
        (await call('POST /api/v1/account/sessions/revoke-others', {}, options)).result.revoked,
      revokeDeviceTokens: async (options) =>
        (await call('POST /api/v1/account/device-tokens/revoke', {}, options)).result.revoked,
      apps: async ({ signal, ...query } = {}) =>
        (await call('GET /api/v1/account/apps', { query }, signalOf(signal))).result.items,
      revokeApp: remove('DELETE /api/v1/account/apps/:id'),
      apiKeys: async (options) => (await call('GET /api/v1/account/api-keys', {}, options)).result,
      createApiKey: async (body, options) =>
        (await call('POST /api/v1/account/api-keys', { body }, options)).result,
      revokeApiKey: remove('DELETE /api/v1/account/api-keys/:id'),
    },
  }
}
