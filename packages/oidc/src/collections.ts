import { defineKeyRings, type KeyRing } from '@gatehouse/core/auth'
import {
  type Collection,
  defineCollection,
  type Json,
  type TypedCollection,
} from '@gatehouse/core/store'

/** A record of `oidc-provider`, with the fields by which it is found. It does not contain the value of a token. */
export interface ModelRecord {
  readonly payload: { readonly [name: string]: Json }
  readonly uid?: string
  readonly grant_id?: string
  readonly user_code?: string
  readonly user_id?: string
  readonly client_id?: string
  /** The Gatehouse session that a session is bound to. */
  readonly session_id?: string
  /** The value itself, sealed, where a page shows it to a person who has not sent it. */
  readonly sealed_value?: string
}

const problemOf = (value: unknown): string | undefined => {
  const { payload } = Object(value) as { readonly payload?: unknown }
  return typeof payload === 'object' && payload !== null ? undefined : 'payload: expected an object'
}

/** Records that an old version or a person has damaged count as absent: nobody gets anything for them. */
const define = (
  name: string,
  ...fields: Exclude<keyof ModelRecord, 'payload' | 'sealed_value'>[]
): TypedCollection<ModelRecord> =>
  defineCollection({
    name: `oidc_${name}`,
    fields: Object.fromEntries(fields.map((field) => [field, 'text'])),
    unreadable: 'skip',
    check: problemOf,
  })

const registrationTokens = define('registration_tokens')

/** The name of a model that is stored. */
export type ModelName =
  | 'Session'
  | 'Interaction'
  | 'Grant'
  | 'AuthorizationCode'
  | 'AccessToken'
  | 'ClientCredentials'
  | 'RefreshToken'
  | 'DeviceCode'
  | 'PushedAuthorizationRequest'
  | 'ReplayDetection'
  | 'Client'
  | 'InitialAccessToken'
  | 'RegistrationAccessToken'

/** The collection of each model. Several may share one: ids differ by the name of the model. */
export const modelCollections: Readonly<Record<ModelName, TypedCollection<ModelRecord>>> = {
  Session: define('sessions', 'uid', 'user_id', 'session_id'),
  Interaction: define('interactions'),
  Grant: define('grants', 'user_id', 'client_id'),
  AuthorizationCode: define('codes', 'grant_id'),
  AccessToken: define('access_tokens', 'grant_id'),
  ClientCredentials: define('client_tokens'),
  RefreshToken: define('refresh_tokens', 'grant_id'),
  DeviceCode: define('device_codes', 'grant_id', 'user_code'),
  PushedAuthorizationRequest: define('pushed_requests'),
  ReplayDetection: define('replays'),
  Client: define('clients'),
  InitialAccessToken: registrationTokens,
  RegistrationAccessToken: registrationTokens,
}

export const isModelName = (name: string): name is ModelName =>
  Object.hasOwn(modelCollections, name)

/** An app that a person has let in, by the digest of both. */
export interface AuthorizedApp {
  readonly user_id: string
  readonly client_id: string
  /** The name of the app as the person has last seen it. */
  readonly name?: string
  /** What the person has consented to; empty for apps that need no consent. */
  readonly scopes: readonly string[]
  /** The same of each API. */
  readonly resources: Readonly<Record<string, readonly string[]>>
  readonly authorized_at: number
  readonly last_used_at: number
}

/** The apps that people have let in. */
export const appCollection: TypedCollection<AuthorizedApp> = defineCollection({
  name: 'oidc_apps',
  fields: { user_id: 'text', client_id: 'text' },
})

/** The keys that sign tokens: a ring for each algorithm. */
export const keyRings: TypedCollection<KeyRing> = defineKeyRings('oidc_signing_keys')

/** All collections of the authorization server, for programs that create the tables in advance. */
export const oidcCollections: readonly Collection[] = Object.freeze([
  ...new Set<Collection>(Object.values(modelCollections)),
  appCollection,
  keyRings,
])
