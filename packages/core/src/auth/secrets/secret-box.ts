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
  /** 1 to 64 letters, digits, `_` and `-`. Appears in plain text in everything the key makes. */
  readonly id: string
  /** At least 32 bytes from a good random source; a text counts as its UTF-8 bytes. */
  readonly key: Uint8Array | string
}

/** Encrypts values that must be read again, and computes MACs of values that must only be recognised. */
export interface SecretBox {
  /** Encrypts a value. `associated` names its owner or purpose; {@link SecretBox.open} needs the same text. */
  seal(value: Json, associated: string): string
  /** Decrypts a value. Returns `undefined` if it was not sealed with these keys and the same `associated`. */
  open(sealed: string, associated: string): Json | undefined
  /** Whether a text was sealed with the first key. Seal other texts again before you remove their key. */
  isCurrent(sealed: string): boolean
  /** The MAC of a text by the first key. Each purpose has its own derived key. */
  mac(purpose: string, text: string): string
  /** The MACs of a text by all keys, the first key's first: for looking up records that an earlier key made. */
  macs(purpose: string, text: string): readonly string[]
  /** Whether `mac` is the MAC of the text by one of the keys. Compares in constant time. */
  checkMac(purpose: string, text: string, mac: string): boolean
}

const minKeyBytes = 32
const nonceBytes = 24
/** `<key id>.<Base64url>`. */
const sealedPattern = /^([\w-]{1,64})\.([\w-]+)$/

/**
 * Creates a secret box with keys of the host. The first key seals, all of them open: to rotate, put the new key before the old
 * one. Values are encrypted with AES-256-GCM, MACs are HMAC-SHA-256; the keys for both are derived from the host's keys.
 *
 * @throws {GatehouseError} `InvalidInput` if there is no key, a key is too short, or an id is malformed or given twice.
 */
export function createSecretBox(keys: readonly SecretKey[]): SecretBox {
  const rings = keys.map(createKeyRing)
  const [current] = rings
  if (current === undefined) throw invalidInput('options.secrets', 'at least one key', 'none')
  const byId = new Map(rings.map((ring) => [ring.id, ring]))
  if (byId.size < rings.length) {
    throw invalidInput('options.secrets', 'keys with different ids', 'the same id twice')
  }

  const macs = (purpose: string, text: string): readonly string[] =>
    rings.map((ring) => ring.mac(purpose, text))
  return {
    seal: (value, associated) => current.seal(JSON.stringify(value), associated),
    open(sealed, associated) {
      const [, id = '', body = ''] = sealedPattern.exec(sealed) ?? []
      const text = byId.get(id)?.open(body, associated)
      // seal() wrote this text from a Json.
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

/** The keys derived from one key of the host. */
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
 * Derives a key for each message from the first half of the nonce. With a single key, the 96 random bits that AES-GCM takes would
 * be used up after about 2^32 messages.
 */
function messageKey(key: Uint8Array, nonce: Uint8Array): { key: Uint8Array; iv: Uint8Array } {
  return { key: hmac('sha256', key, nonce.subarray(0, 12)), iv: nonce.subarray(12) }
}

const toBase64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

function equalTexts(a: string, b: string): boolean {
  return equalBytes(new TextEncoder().encode(a), new TextEncoder().encode(b))
}
