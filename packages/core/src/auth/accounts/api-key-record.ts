import {
  defineCollection,
  type TypedCollection,
  type TypedRecord,
} from '../../storage/collection.ts'
import { instant, listOf, nullable, objectOf, text } from '../../storage/record-check.ts'
import type { Storage, Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'

/** Whose key it is: a user's, or that of a service, which is only a name. */
export type ApiKeyOwner =
  | { readonly user_id: string; readonly service?: undefined }
  | { readonly service: string; readonly user_id?: undefined }

/** An API key; the id is a part of the key itself. */
export interface ApiKeyRecord {
  /** @see `ownerText` */
  readonly owner: string
  readonly name: string
  /** The SHA-256 of the whole key, in hex. */
  readonly digest: string
  /** Sorted. */
  readonly scopes: readonly string[]
  readonly created_at: Instant
  /** `null`: it lasts until it is revoked. */
  readonly expires_at: Instant | null
  /** Noted at most once a minute. */
  readonly last_used_at: Instant | null
  readonly last_used_ip: string | null
}

/** API keys by their id. */
export const apiKeyCollection: TypedCollection<ApiKeyRecord> = defineCollection({
  name: 'auth_api_keys',
  fields: { owner: 'text' },
  unreadable: 'skip',
  check: objectOf<ApiKeyRecord>({
    owner: text,
    name: text,
    digest: text,
    scopes: listOf(text),
    created_at: instant,
    expires_at: nullable(instant),
    last_used_at: nullable(instant),
    last_used_ip: nullable(text),
  }),
})

/** Owners who got a key lately, by the SHA-256 of their text. Each new key writes it, so that two at once do not pass the limit. */
export const apiKeyGuardCollection: TypedCollection<Readonly<Record<string, never>>> =
  defineCollection({ name: 'auth_api_key_guards' })

/** The most keys of one owner that a configuration can allow. */
export const maxApiKeysPerOwner = 100

const services = 'service:'

/** The owners that are services, as a part of the index: `;` comes after `:`. */
export const ownersOfServices: { readonly from: string; readonly to: string } = {
  from: services,
  to: 'service;',
}

/** An owner as it is stored and searched for. */
export const ownerText = (owner: ApiKeyOwner): string =>
  owner.user_id === undefined ? `${services}${owner.service}` : `user:${owner.user_id}`

/** The owner in a record. */
export function ownerOf({ owner }: Pick<ApiKeyRecord, 'owner'>): {
  readonly user_id: string | null
  readonly service: string | null
} {
  const name = owner.slice(owner.indexOf(':') + 1)
  return owner.startsWith(services)
    ? { user_id: null, service: name }
    : { user_id: name, service: null }
}

/** The keys of an owner that have not expired. */
export const findApiKeys = (
  storage: Storage,
  owner: ApiKeyOwner,
): Promise<readonly TypedRecord<ApiKeyRecord>[]> =>
  apiKeyCollection.find(storage, {
    by: 'owner',
    equals: ownerText(owner),
    limit: maxApiKeysPerOwner,
  })

/** The writes that end all keys of a user. */
export const apiKeyRemovals = async (storage: Storage, userId: string): Promise<readonly Write[]> =>
  (await findApiKeys(storage, { user_id: userId })).map(({ id }) => apiKeyCollection.remove(id))
