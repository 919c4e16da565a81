import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { instant, listOf, objectOf, text } from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'

/** A key that signs access tokens: ECDSA on P-256. */
export interface SigningKey {
  readonly kid: string
  readonly created_at: Instant
  /** Published before it signs, so that a service that keeps the published keys for a while knows it by then. */
  readonly active_from: Instant
  /** The point of the public key. @see RFC 7518, section 6.2 */
  readonly x: string
  readonly y: string
  /** The private key, sealed. */
  readonly sealed: string
}

/** All keys, in the order in which they sign. */
export interface KeyRing {
  readonly keys: readonly SigningKey[]
}

/** One record holds all keys, so that two processes cannot both add the next one. */
export const keyRingCollection: TypedCollection<KeyRing> = defineCollection({
  name: 'auth_signing_keys',
  check: objectOf<KeyRing>({
    keys: listOf(
      objectOf<SigningKey>({
        kid: text,
        created_at: instant,
        active_from: instant,
        x: text,
        y: text,
        sealed: text,
      }),
    ),
  }),
})

/** The id of the only record. */
export const ringId = 'ring'

/** How long others may keep the published keys, in ms. */
export const publishedForMs = 300_000

/** From when on a new key signs: at once if nothing signs yet, else when all who fetch the keys know it. */
export const activeFrom = ({ keys }: KeyRing, now: Instant): Instant =>
  keys.some(({ active_from: from }) => from <= now) ? now + 2 * publishedForMs : now

/** The key that signs; `undefined` if there is none yet. */
export const signingKeyOf = ({ keys }: KeyRing, now: Instant): SigningKey | undefined =>
  keys.findLast(({ active_from: from }) => from <= now)

/**
 * The keys that are published and verify: one that signs or will sign, and one that another has replaced while its tokens may
 * still be valid.
 */
export function validKeys(
  { keys }: KeyRing,
  now: Instant,
  maxTokenMs: number,
): readonly SigningKey[] {
  return keys.filter((_key, at) => {
    const next = keys[at + 1]
    return next === undefined || next.active_from + maxTokenMs > now
  })
}

/** Whether a key waits for its turn to sign. */
export const hasNext = ({ keys }: KeyRing, now: Instant): boolean =>
  keys.some(({ active_from: from }) => from > now)

/** Whether the newest key is so old that another must follow. */
export function isRotationDue({ keys }: KeyRing, now: Instant, everyMs: number): boolean {
  const newest = keys.at(-1)
  return newest === undefined || newest.created_at + everyMs <= now
}

/** How many keys a ring holds at most: rotating more often than tokens end drops the oldest. */
export const maxKeys = 8
