import { randomBytes } from '../../../crypto/crypto.ts'
import {
  equalBytes,
  type ScryptCost,
  scryptHash,
  scryptMemory,
} from '../../../crypto/crypto-secrets.ts'
import { decodeInput, exactly, optional, wholeFrom } from '../../../input/decode.ts'
import { invalidInput } from '../../../input/refusal.ts'
import { maxPasswordBytes } from '../../secrets/typed-password.ts'
import { createHashQueue } from './hash-queue.ts'
import type { PasswordHasher } from './password-hasher.ts'

/** Options of {@link createScryptHasher}. */
export interface ScryptHasherOptions {
  /** Rounds, a power of two (default 131072). Each concurrent hash takes 128 × N × r bytes of memory. */
  readonly N?: number
  /** Block size (default 8). */
  readonly r?: number
  /** Passes, one after the other (default 1). */
  readonly p?: number
  /** How many hashes are made at once (default 2). */
  readonly maxParallel?: number
  /**
   * How many passwords may wait for their turn (default 128). More are refused, and so are those above a quarter of the queue for
   * one account or address.
   */
  readonly maxWaiting?: number
}

const count = optional(wholeFrom(1))

const decodeOptions = exactly<ScryptHasherOptions>({
  N: count,
  r: count,
  p: count,
  maxParallel: count,
  maxWaiting: optional(wholeFrom(0)),
})

const saltBytes = 16
const hashBytes = 32
/** The limits for stored hashes: 1 GiB of memory, and the time of 2^25 blocks, some ten seconds. */
const maxMemory = 2 ** 30 + 2 ** 20
const maxBlocks = 2 ** 25
const secondsPerBlock = 0.4 / 2 ** 20

/**
 * Creates a hasher with the platform's scrypt, which runs outside the event loop. Hashes read
 * `$scrypt$ln=17,r=8,p=1$<salt>$<hash>`, both in Base64 without padding.
 *
 * @throws {GatehouseError} `InvalidInput` if a count is invalid, or the cost is out of bounds.
 * @see RFC 7914; PHC string format; OWASP Password Storage Cheat Sheet for costs
 */
export function createScryptHasher(options: ScryptHasherOptions = {}): PasswordHasher {
  const decoded = decodeInput('options', decodeOptions, options)
  const { N = 2 ** 17, r = 8, p = 1, maxParallel = 2, maxWaiting = 128 } = decoded
  const cost = { N, r, p }
  if (!isUsable(cost)) {
    throw invalidInput(
      'options',
      'N to be a power of two above 1, r and p at least 1, and the memory at most 1 GiB',
      `N=${N}, r=${r}, p=${p}`,
    )
  }
  const secondsPerJob = N * r * p * secondsPerBlock
  const queue = createHashQueue({ maxParallel, maxWaiting, secondsPerJob })
  return {
    hash: (password, requester) =>
      queue(async () => {
        const salt = randomBytes(saltBytes)
        return format({ cost, salt, hash: await scryptHash(password, salt, hashBytes, cost) })
      }, requester),
    async verify(password, stored, requester) {
      const parts = parse(stored)
      if (parts === undefined) return false
      const { cost, salt, hash, isComposed } = parts
      const text = isComposed ? composed(password) : password
      const found = await queue(() => scryptHash(text, salt, hash.length, cost), requester)
      return equalBytes(found, hash)
    },
    needsRehash(text) {
      const parts = parse(text)
      if (parts === undefined) return true
      const isSame = parts.cost.N === N && parts.cost.r === r && parts.cost.p === p
      return (
        parts.isComposed ||
        !isSame ||
        parts.salt.length < saltBytes ||
        parts.hash.length < hashBytes
      )
    },
  }
}

/** better-auth's form. Texts that are too long for a password are not changed, because that takes quadratic time. */
const composed = (text: string): string =>
  text.length > maxPasswordBytes ? text : text.normalize('NFKC')

function isUsable(cost: ScryptCost): boolean {
  const { N, r, p } = cost
  const areCounts = [N, r, p].every((value) => Number.isSafeInteger(value) && value >= 1)
  const isPowerOfTwo = N > 1 && Number.isInteger(Math.log2(N))
  return areCounts && isPowerOfTwo && scryptMemory(cost) <= maxMemory && N * r * p <= maxBlocks
}

interface ScryptParts {
  /** Whether the NFKC form of the password was hashed. */
  readonly isComposed: boolean
  readonly cost: ScryptCost
  readonly salt: Uint8Array
  readonly hash: Uint8Array
}

/** Whether a text is a hash of scrypt that {@link createScryptHasher} verifies. */
export const isScryptHash = (text: string): boolean => parse(text) !== undefined

/** `scrypt-nfkc` is scrypt over the NFKC form of the password, as better-auth hashes it. */
const pattern =
  /^\$scrypt(-nfkc)?\$ln=(\d{1,2}),r=(\d{1,6}),p=(\d{1,6})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

function parse(text: string): ScryptParts | undefined {
  const [, form, ln, r, p, salt = '', hash = ''] = pattern.exec(text) ?? []
  if (ln === undefined) return undefined
  const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p) }
  if (!isUsable(cost)) return undefined
  return {
    cost,
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
    isComposed: form !== undefined,
  }
}

function format({ cost, salt, hash }: Omit<ScryptParts, 'isComposed'>): string {
  const { N, r, p } = cost
  return `$scrypt$ln=${Math.log2(N)},r=${r},p=${p}$${encode(salt)}$${encode(hash)}`
}

const encode = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replace(/=+$/, '')
