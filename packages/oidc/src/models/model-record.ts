import { hash } from 'node:crypto'
import { defineCollection, type Json, type TypedCollection } from '@gatehouse/core/store'

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

/** The id of a record: a reader of the database cannot use it in place of the value. */
export const recordId = (model: ModelName, value: string): string =>
  hash('sha256', `${model}:${value}`, 'base64url')
