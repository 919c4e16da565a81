import { randomBytes } from '../../crypto/crypto.ts'
import {
  decryptAesGcm,
  deriveKey,
  encryptAesGcm,
  equalBytes,
  hmac,
} from '../../crypto/crypto-secrets.ts'
import { invalidInput } from '../../input/refusal.ts'
import type { Json } from '../../storage/storage.ts'

/** A key of the host. */
export interface SecretKey {
  /** 1 to 64 letters, digits, `_` and `-`. Stands in the clear in all that the key makes. */
  readonly id: string
  /** At least 32 bytes from a good source; a text counts as its UTF-8 bytes. */
  readonly key: Uint8Array | string
}

/** Seals what must be read again, and computes MACs of what must only be recognised. */
export interface SecretBox {
  /** Encrypts a value. `associated` says whose or what it is: who opens it must say the same. */
  seal(value: Json, associated: string): string
  /** The value that was sealed; `undefined` for what was not sealed by these keys, or for something else. */
  open(sealed: string, associated: string): Json | undefined
  /** Whether something was sealed by the first key. What was not should be sealed anew before its key goes. */
  isCurrent(sealed: string): boolean
  /** The MAC of a text by the first key. Each purpose has a key of its own. */
  mac(purpose: string, text: string): string
  /** The MACs of a text by all keys, the first key's first: to look up what an earlier key has made. */
  macs(purpose: string, text: string): readonly string[]
  /** Whether a MAC is one of these. Takes the same time wherever they differ. */
  checkMac(purpose: string, text: string, mac: string): boolean
}

const minKeyBytes = 32
const nonceBytes = 24
/** `<key id>.<Base64url>`. */
const sealedPattern = /^([\w-]{1,64})\.([\w-]+)$/

/**
 * A secret box under keys of the host. The first key seals; all of them open, so that a new key can be put before an old
 * one. Values are encrypted by AES-256-GCM, MACs are HMAC-SHA-256; keys for them are derived from the host's.
 *
 * @throws {GatehouseError} `InvalidInput` if there is no key, one is too short, or an id is malformed or given twice.
 */
export function createSecretBox(keys: readonly SecretKey[]): SecretBox {
  const rings = keys.map(createKeyRing)
  const [current] = rings
  if (current === undefined) throw invalidInput('options.secrets', 'at least one key', 'none')
  const byId = new Map(rings.map((ring) => [ring.id, ring]))
  if (byId.size < rings.length) {
    throw invalidInput('options.secrets', 'keys of different ids', 'two of one id')
  }

  const macs = (purpose: string, text: string): readonly string[] =>
    rings.map((ring) => ring.mac(purpose, text))
  return {
    seal: (value, associated) => current.seal(JSON.stringify(value), associated),
    open(sealed, associated) {
      const [, id = '', body = ''] = sealedPattern.exec(sealed) ?? []
      const text = byId.get(id)?.open(body, associated)
      // What opens is what seal() made of a Json.
      return text === undefined ? undefined : (JSON.parse(text) as Json)
    },
    isCurrent: (sealed) => sealed.startsWith(`${current.id}.`),
    mac: (purpose, text) => current.mac(purpose, text),
    macs,
    checkMac: (purpose, text, mac) =>
      macs(purpose, text).filter((known) => equalTexts(known, mac)).length > 0,
  }
}

interface KeyRing {
  readonly id: string
  seal(text: string, associated: string): string
  open(body: string, associated: string): string | undefined
  mac(purpose: string, text: string): string
}

/** The keys that are derived from one of the host. */
function createKeyRing({ id, key }: SecretKey): KeyRing {
  const bytes = typeof key === 'string' ? new TextEncoder().encode(key) : Uint8Array.from(key)
  if (!/^[\w-]{1,64}$/.test(id)) {
    throw invalidInput('secrets', 'an id of 1 to 64 letters, digits, "_" and "-"', 'another text')
  }
  if (bytes.length < minKeyBytes) {
    throw invalidInput(
      `options.secrets.${id}`,
      `a key of at least ${minKeyBytes} bytes`,
      `one of ${bytes.length}`,
    )
  }
  const sealKey = deriveKey(bytes, 'seal')
  const macKeys = new Map<string, Uint8Array>()
  const macKey = (purpose: string): Uint8Array => {
    const known = macKeys.get(purpose) ?? deriveKey(bytes, `mac ${purpose}`)
    macKeys.set(purpose, known)
    return known
  }
  return {
    id,
    seal(text, associated) {
      const nonce = randomBytes(nonceBytes)
      const { key, iv } = messageKey(sealKey, nonce)
      const encrypted = encryptAesGcm(key, iv, new TextEncoder().encode(text), associated)
      return `${id}.${toBase64url(Buffer.concat([nonce, encrypted]))}`
    },
    open(body, associated) {
      const sealed = Buffer.from(body, 'base64url')
      if (sealed.length < nonceBytes || toBase64url(sealed) !== body) return undefined
      const { key, iv } = messageKey(sealKey, sealed.subarray(0, nonceBytes))
      const text = decryptAesGcm(key, iv, sealed.subarray(nonceBytes), associated)
      return text && new TextDecoder().decode(text)
    },
    mac: (purpose, text) => `${id}.${toBase64url(hmac('sha256', macKey(purpose), text))}`,
  }
}

/**
 * A key of its own for each message, by the first half of the nonce. Under one key alone the 96 random bits that AES-GCM
 * takes would be used up after some 2^32 messages.
 */
function messageKey(key: Uint8Array, nonce: Uint8Array): { key: Uint8Array; iv: Uint8Array } {
  return { key: hmac('sha256', key, nonce.subarray(0, 12)), iv: nonce.subarray(12) }
}

const toBase64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

function equalTexts(a: string, b: string): boolean {
  return equalBytes(new TextEncoder().encode(a), new TextEncoder().encode(b))
}
