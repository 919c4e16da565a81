import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import {
  flag,
  instant,
  listOf,
  mapOf,
  nullable,
  number,
  objectOf,
  optional,
  type RecordCheck,
  text,
} from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'

/** A session of a user; the id is the first part of its token. */
export interface SessionRecord {
  readonly user_id: string
  readonly client_id: string | null
  readonly token_hash: string
  readonly created_at: Instant
  readonly authenticated_at: Instant
  readonly last_accessed_at: Instant
  readonly last_accessed_ip: string | null
  readonly last_accessed_user_agent: string | null
  /** How the user authenticated, sorted. */
  readonly amr: readonly string[]
  /** When each of `amr` was last shown; for `mfa`, since when there have been two factors (default `authenticated_at`). */
  readonly amr_at?: { readonly [reference: string]: Instant }
  /** Set after a passkey with user verification. */
  readonly user_verified?: true
  /** When each factor was last shown (default unknown). @see `factorOf` */
  readonly factors?: { readonly [factor: string]: Instant }
  /** The identities and authenticators that were used or set up in it, by id (default unknown). */
  readonly own?: readonly string[]
  /** The operator who acts as the user in it (default: it is the user). */
  readonly impersonated_by?: string
  /** When it ends at the latest (default: as the configuration says). */
  readonly ends_at?: Instant
  /** The refresh tokens of it that are in use, by the id of their grant. */
  readonly grants?: { readonly [id: string]: Grant }
}

/** A line of refresh tokens: each replaces the one before. */
export interface Grant {
  /** Of the newest token. */
  readonly generation: number
  /** When the newest token was given out. */
  readonly rotated_at: Instant
  readonly expires_at: Instant
}

/** Checks a stored session. */
const sessionCheck: RecordCheck = objectOf<SessionRecord>({
  user_id: text,
  client_id: nullable(text),
  token_hash: text,
  created_at: instant,
  authenticated_at: instant,
  last_accessed_at: instant,
  last_accessed_ip: nullable(text),
  last_accessed_user_agent: nullable(text),
  amr: listOf(text),
  amr_at: optional(mapOf(instant)),
  user_verified: optional(flag),
  factors: optional(mapOf(instant)),
  own: optional(listOf(text)),
  impersonated_by: optional(text),
  ends_at: optional(instant),
  grants: optional(
    mapOf(objectOf<Grant>({ generation: number, rotated_at: instant, expires_at: instant })),
  ),
})

/** Sessions by their id. */
export const sessionCollection: TypedCollection<SessionRecord> = defineCollection({
  name: 'auth_sessions',
  fields: { user_id: 'text' },
  unreadable: 'skip',
  check: sessionCheck,
})
