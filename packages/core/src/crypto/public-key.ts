import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign as signBytes,
  verify,
  X509Certificate,
} from 'node:crypto'

/** A public key, whose kind is known. */
export type PublicKey = KeyObject

/** Algorithms of signatures that are checked with a public key. ECDSA signatures are in DER. */
export type PublicKeyAlgorithm =
  | 'ed25519'
  | 'ecdsa-sha256'
  | 'ecdsa-sha512'
  | 'rsa-sha1'
  | 'rsa-sha256'
  | 'rsa-sha512'

const kinds: Readonly<Record<PublicKeyAlgorithm, 'ed25519' | 'ec' | 'rsa'>> = {
  ed25519: 'ed25519',
  'ecdsa-sha256': 'ec',
  'ecdsa-sha512': 'ec',
  'rsa-sha1': 'rsa',
  'rsa-sha256': 'rsa',
  'rsa-sha512': 'rsa',
}

/** The kind of key that an algorithm needs; `undefined` if it needs a secret. */
export function publicKeyKind(algorithm: string | undefined): string | undefined {
  return algorithm !== undefined && Object.hasOwn(kinds, algorithm)
    ? kinds[algorithm as PublicKeyAlgorithm]
    : undefined
}

/** The bytes before the 32 of an Ed25519 key. @see RFC 8410 */
const ed25519Start = Buffer.from('302a300506032b6570032100', 'hex')
const maxKeyLength = 8_192
const leastRsaBits = 2_048

/**
 * Reads a public key: in PEM, as base64 of its DER, or, of Ed25519, as 64 hex digits. `undefined` if it is none. Texts that PEM
 * has for private keys and certificates are none either.
 */
export function parsePublicKey(text: string): PublicKey | undefined {
  const trimmed = text.trim()
  if (trimmed.length > maxKeyLength) return undefined
  try {
    if (/^[\da-f]{64}$/i.test(trimmed)) {
      return fromDer(Buffer.concat([ed25519Start, Buffer.from(trimmed, 'hex')]))
    }
    const [, inPem] =
      /^-----BEGIN PUBLIC KEY-----([\sA-Za-z\d+/=]+)-----END PUBLIC KEY-----$/.exec(trimmed) ?? []
    const base64 = (inPem ?? trimmed).replace(/\s/g, '')
    if (!/^[A-Za-z\d+/]+={0,2}$/.test(base64)) return undefined
    return fromDer(Buffer.from(base64, 'base64'))
  } catch {
    return undefined // Not a key.
  }
}

/** A certificate of a sender. Times in ms since 1970. */
export interface SigningCertificate {
  readonly key: PublicKey
  readonly validFrom: number
  readonly validTo: number
}

/**
 * Reads the first certificate of a text in PEM: a chain begins with that of the signer. `undefined` if there is none, or if no
 * signature may be checked with its key. Who issued it is not checked: the text must come from a trusted place.
 */
export function parseCertificate(text: string): SigningCertificate | undefined {
  const [first] =
    /-----BEGIN CERTIFICATE-----[\sA-Za-z\d+/=]+-----END CERTIFICATE-----/.exec(text) ?? []
  if (first === undefined) return undefined
  try {
    const { publicKey, validFrom, validTo } = new X509Certificate(first)
    const key = fromDer(publicKey.export({ format: 'der', type: 'spki' }))
    return key && { key, validFrom: Date.parse(validFrom), validTo: Date.parse(validTo) }
  } catch {
    return undefined // Not a certificate.
  }
}

function fromDer(der: Buffer): PublicKey | undefined {
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details } = key
  if (kind === 'rsa') return (details?.modulusLength ?? 0) >= leastRsaBits ? key : undefined
  return kind === 'ed25519' || kind === 'ec' ? key : undefined
}

/** Whether a key is of the kind of an algorithm. */
function isOfAlgorithm(key: PublicKey, algorithm: PublicKeyAlgorithm): boolean {
  return key.asymmetricKeyType === kinds[algorithm]
}

/** The hash of an algorithm; Ed25519 has its own. */
function hashOf(algorithm: PublicKeyAlgorithm): string | null {
  return algorithm === 'ed25519' ? null : (algorithm.split('-')[1] ?? null)
}

const joined = (pieces: readonly (string | Uint8Array)[]): Buffer =>
  Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))

/** Whether a signature of concatenated pieces, texts as their UTF-8 bytes, fits a key of the algorithm's kind. */
export function verifiesWith(
  key: PublicKey,
  algorithm: PublicKeyAlgorithm,
  pieces: readonly (string | Uint8Array)[],
  signature: Uint8Array,
): boolean {
  try {
    return (
      isOfAlgorithm(key, algorithm) && verify(hashOf(algorithm), joined(pieces), key, signature)
    )
  } catch {
    return false // Not a signature.
  }
}

/**
 * Signs pieces as a sender does.
 *
 * @throws if the text is not a private key in PEM of the algorithm's kind.
 */
export function signWith(
  privateKey: string,
  algorithm: PublicKeyAlgorithm,
  pieces: readonly (string | Uint8Array)[],
): Buffer {
  const key = createPrivateKey(privateKey)
  if (key.asymmetricKeyType !== kinds[algorithm]) throw new TypeError(`not a key of ${algorithm}`)
  return signBytes(hashOf(algorithm), joined(pieces), key)
}
