import { type AuthConfig, type AuthContext, createAuth, type Storage } from '@gatehouse/core'
import { createScryptHasher, type ImportedUser, importUsers } from '@gatehouse/core/auth'
import { createExternalJwtVerifier } from '@gatehouse/core/external-jwt'
import { createPasskeys } from '@gatehouse/core/passkeys'
import { createMessageOutbox, type ManualClock, type MessageOutbox } from '@gatehouse/core/testing'
import { Secret, TOTP } from 'otpauth'
import type { SocketClient } from '../../../test-support/socket-client.ts'
import {
  createFakeOAuthClient,
  type FakeOAuthClient,
} from '../src/auth/kinds/oauth/oauth.fixture.ts'
import type { SoftwareAuthenticator } from '../src/auth/webauthn/software-authenticator.fixture.ts'
import { createPlaceholders, type Placeholders } from './auth-placeholders.ts'
import type { AuthVector, ConfigParts, VectorUser } from './auth-vector.ts'
import { createVectorDirectory, createVectorHook, vectorBotVerifier } from './auth-vector-ports.ts'
import type { SwitchingServer } from './servers.ts'

/** The environment of a vector. */
export interface AuthVectorTarget {
  readonly server: SwitchingServer
  readonly storage: Storage
  readonly clock: ManualClock
}

/** Requests come through one proxy with TLS. */
const baseConfig = {
  id: 'vectors',
  http: { public_origin: 'https://auth.example.com' },
}

const isObject = (value: unknown): value is ConfigParts =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function merge(base: ConfigParts, parts: ConfigParts): ConfigParts {
  const merged = { ...base }
  for (const [key, value] of Object.entries(parts)) {
    const before = merged[key]
    merged[key] = isObject(before) && isObject(value) ? merge(before, value) : value
  }
  return merged
}

/** Cheap, so that a thousand sign-ins take no time. */
const hasher = createScryptHasher({ N: 16, r: 1, p: 1 })

/** The state that the steps of one vector share. */
export interface World extends AuthVectorTarget {
  readonly vector: AuthVector
  readonly auth: AuthContext
  readonly outbox: MessageOutbox
  readonly texts: Placeholders
  /** User ids by address or name. */
  readonly users: ReadonlyMap<string, string>
  /** Cookies by browser. */
  readonly cookies: Map<string, Map<string, string>>
  readonly sockets: Map<string, SocketClient>
  /** The authenticator with the passkeys of each browser. */
  readonly authenticators: Map<string, SoftwareAuthenticator>
  /** The identity providers. */
  readonly oauth: FakeOAuthClient
}

/** Creates the service of a vector, with its initial users. */
export async function createWorld(vector: AuthVector, target: AuthVectorTarget): Promise<World> {
  const outbox = createMessageOutbox()
  const users = new Map<string, string>()
  const oauth = createFakeOAuthClient()
  const auth = createService(vector, { ...target, users, oauth }, outbox)
  for (const [name, id] of await createUsers(auth, vector.users ?? [])) users.set(name, id)
  return {
    ...target,
    vector,
    auth,
    outbox,
    texts: createPlaceholders((name) => computed(name, { clock: target.clock, outbox, users })),
    users,
    cookies: new Map(),
    sockets: new Map(),
    authenticators: new Map(),
    oauth,
  }
}

/** The configuration of a vector: the base, its own parts, and further parts. */
export const configOf = ({ config = {} }: AuthVector, parts: ConfigParts = {}): AuthConfig =>
  // Vectors are data. Invalid parts are refused when they are read.
  merge(merge(baseConfig, config), parts) as unknown as AuthConfig

function createService(
  vector: AuthVector,
  target: AuthVectorTarget & Pick<World, 'users' | 'oauth'>,
  outbox: MessageOutbox,
): AuthContext {
  const { bridge, hook, passwordStrength, without = [], maxBodyBytes } = vector
  const { idTokens, directory = {}, operators } = vector
  const { storage, clock, users, oauth } = target
  const senders = Object.entries(outbox.senders).filter(([name]) => !without.includes(name))
  return createAuth({
    storage,
    clock,
    hasher,
    config: configOf(vector),
    secrets: [{ id: 'k1', key: 'a key of vectors, of at least thirty-two bytes' }],
    senders: Object.fromEntries(senders),
    onEvent: () => {},
    passkeys: createPasskeys(),
    oauth,
    externalJwt: createExternalJwtVerifier({ clock }),
    ldap: createVectorDirectory(directory),
    ...(idTokens === undefined
      ? {}
      : {
          idTokenVerifier: async (token) => {
            const name = idTokens[token]
            return name === undefined ? undefined : (users.get(name) ?? name)
          },
        }),
    ...(bridge === undefined
      ? {}
      : {
          authorizationBridge: {
            resolve: async (reference) => bridge[reference],
            finish: async ({ redirect_uri: uri }, { amr }) =>
              `${uri}?code=one-time&amr=${amr.join('+')}`,
          },
        }),
    ...(hook === undefined ? {} : { hook: createVectorHook(hook, clock) }),
    ...(operators === undefined
      ? {}
      : { authorize: (subject, action) => subject?.roles?.includes(action) === true }),
    botVerifier: vectorBotVerifier,
    ...(passwordStrength === undefined ? {} : { passwordStrength: () => passwordStrength }),
    ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
  })
}

/**
 * The computed placeholders: `code:<address>`, the newest code sent there; `totp:<secret>`, the current code; `codeIn:<query>`;
 * `user:<address>`, the id of a user from before the first step.
 */
function computed(
  name: string,
  { clock, outbox, users }: Pick<World, 'clock' | 'outbox' | 'users'>,
): string | undefined {
  const [kind, ...rest] = name.split(':')
  const of = rest.join(':')
  if (kind === 'user') return users.get(of)
  if (kind === 'code') return outbox.codeTo(of)
  if (kind === 'codeIn') return new URLSearchParams(of).get('code') ?? undefined
  if (kind !== 'totp') return undefined
  return new TOTP({ secret: Secret.fromBase32(of) }).generate({ timestamp: clock.now() })
}

async function createUsers(
  auth: AuthContext,
  users: readonly VectorUser[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (const user of users) {
    const [made] = await importUsers(auth, [await importedUser(auth, user)])
    if (made?.outcome !== 'inserted')
      throw new Error(`cannot create a user: ${made?.error.message}`)
    for (const name of [user.email, user.phone_number, user.preferred_username]) {
      if (name !== undefined) ids.set(name, made.user_id)
    }
  }
  return ids
}

async function importedUser(auth: AuthContext, user: VectorUser): Promise<ImportedUser> {
  const { password, mfa, password_expired_ms: expiredMs, ...rest } = user
  const hashed = async (text: string) =>
    ({ type: 'scrypt', password_hash: await hasher.hash(text) }) as const
  const expiry = expiredMs === undefined ? {} : { expire_after: auth.clock.now() - expiredMs }
  const { password: secondary, ...factors } = mfa ?? {}
  return {
    ...rest,
    ...(password === undefined ? {} : { password: { ...(await hashed(password)), ...expiry } }),
    mfa: { ...factors, ...(secondary === undefined ? {} : { password: await hashed(secondary) }) },
  }
}

/** The id of a user, by address or name. */
export function userId({ users }: World, name: string): string {
  const id = users.get(name)
  if (id === undefined) throw new Error(`no user is named ${name}`)
  return id
}
