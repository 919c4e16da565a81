import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { instant, listOf, objectOf, optional, text } from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'

/** What keys sign with. @see RFC 7518, section 3.1 */
export type SigningAlgorithm = 'ES256' | 'RS256'

/** A key that signs tokens. Which of the public members it has depends on the algorithm of its ring. */
export interface SigningKey {
  readonly kid: string
  readonly created_at: Instant
  /** Published before it signs, so that a service that keeps the published keys for a while knows it by then. */
  readonly active_from: Instant
  /** The point of a public key of ES256. @see RFC 7518, section 6.2 */
  readonly x?: string
  readonly y?: string
  /** The modulus and the exponent of a public key of RS256. @see RFC 7518, section 6.3 */
  readonly n?: string
  readonly e?: string
  /** The private key, sealed. */
  readonly sealed: string
}

/** All keys, in the order in which they sign. */
export interface KeyRing {
  readonly keys: readonly SigningKey[]
}

const ringCheck = objectOf<KeyRing>({
  keys: listOf(
    objectOf<SigningKey>({
      kid: text,
      created_at: instant,
      active_from: instant,
      x: optional(text),
      y: optional(text),
      n: optional(text),
      e: optional(text),
      sealed: text,
    }),
  ),
})

/** Declares a collection of rings. One record holds all keys of a ring, so that two processes cannot both add the next one. */
export const defineKeyRings = (name: string): TypedCollection<KeyRing> =>
  defineCollection({ name, check: ringCheck })

/** A ring of keys, and how long they live. */
export interface RingRules {
  readonly collection: TypedCollection<KeyRing>
  /** The id of its record. */
  readonly id: string
  readonly alg: SigningAlgorithm
  /** How old a key becomes before another follows, in ms. */
  readonly rotateEveryMs: number
  /** How long what a key has signed is valid, in ms. */
  readonly validForMs: number
}

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
