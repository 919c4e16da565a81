import { isJsonObject, type Json, type JsonObject } from '../../storage/storage.ts'
import { isDeeperThan, textOf } from '../oauth-client/json-object.ts'

/** Signatures that only the holder of a private key can make. @see RFC 7518, section 3.1; RFC 8037; RFC 9864 */
const algorithms: ReadonlyMap<string, SignatureAlgorithm> = new Map([
  ...[256, 384, 512].flatMap((bits): [string, SignatureAlgorithm][] => {
    const hash = `SHA-${bits}`
    const curve = bits === 512 ? 'P-521' : `P-${bits}`
    const ecdsa = { name: 'ECDSA', hash, namedCurve: curve }
    return [
      [`RS${bits}`, { kty: 'RSA', parameters: { name: 'RSASSA-PKCS1-v1_5', hash } }],
      [`PS${bits}`, { kty: 'RSA', parameters: { name: 'RSA-PSS', hash, saltLength: bits / 8 } }],
      [`ES${bits}`, { kty: 'EC', crv: curve, parameters: ecdsa }],
    ]
  }),
  ...['EdDSA', 'Ed25519'].map((alg): [string, SignatureAlgorithm] => [
    alg,
    { kty: 'OKP', crv: 'Ed25519', parameters: { name: 'Ed25519' } },
  ]),
])

interface SignatureAlgorithm {
  readonly kty: string
  readonly crv?: string
  /** For Web Crypto. */
  readonly parameters: { readonly name: string; readonly [name: string]: string | number }
}

/** The names of the algorithms. */
export const signatureAlgorithms: readonly string[] = [...algorithms.keys()]

/** Longer tokens are not valid, and neither are those with deeper claims. */
const maxTokenLength = 16_384
const maxLevels = 32

/** A decoded token. Nothing of it is verified. */
export interface DecodedJwt {
  readonly header: JsonObject
  readonly claims: JsonObject
  readonly signed: string
  readonly signature: Uint8Array<ArrayBuffer>
}

/** `undefined` if the text is not a signed token. @see RFC 7515, section 7.1 */
export function decodeJwt(token: string): DecodedJwt | undefined {
  if (token.length > maxTokenLength) return undefined
  const [, head, body, tail] = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(token) ?? []
  if (head === undefined || body === undefined || tail === undefined) return undefined
  const header = decodeObject(head)
  const claims = decodeObject(body)
  // Extensions that must be understood are not. @see RFC 7515, section 4.1.11
  if (header === undefined || claims === undefined || header.crit !== undefined) return undefined
  const signature = new Uint8Array(Buffer.from(tail, 'base64url'))
  return { header, claims, signed: `${head}.${body}`, signature }
}

function decodeObject(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(Buffer.from(text, 'base64url').toString())
    return isJsonObject(value) && !isDeeperThan(maxLevels, value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A key set may hold more keys, but no issuer signs with so many at a time. */
const maxCandidates = 10

/** The keys of a set that may have signed a token, by its header. */
export function candidatesOf(
  { header }: DecodedJwt,
  keys: readonly JsonObject[],
): readonly JsonObject[] {
  const algorithm = algorithms.get(textOf(header, 'alg') ?? '')
  if (algorithm === undefined) return []
  const fits = (key: JsonObject): boolean =>
    key.kty === algorithm.kty &&
    (algorithm.crv === undefined || key.crv === algorithm.crv) &&
    (header.kid === undefined || key.kid === header.kid) &&
    (key.alg === undefined || key.alg === header.alg) &&
    (key.use === undefined || key.use === 'sig')
  return keys.filter(fits).slice(0, maxCandidates)
}

/** The members of a public key by its type, in the order of a thumbprint. */
const membersOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['RSA', ['e', 'kty', 'n']],
  ['EC', ['crv', 'kty', 'x', 'y']],
  ['OKP', ['crv', 'kty', 'x']],
])

/**
 * A public key without members such as `key_ops`, which say nothing new here; `undefined` for a key of another type.
 *
 * @see RFC 7638, section 3.2
 */
export function publicMembers(key: JsonObject): Readonly<Record<string, string>> | undefined {
  const names = membersOf.get(textOf(key, 'kty') ?? '')
  return names && Object.fromEntries(names.map((name) => [name, textOf(key, name) ?? '']))
}

/** Whether one of the candidates has signed the token. */
export async function isSignedByOne(
  jwt: DecodedJwt,
  candidates: readonly JsonObject[],
): Promise<boolean> {
  for (const key of candidates) if (await isSignedBy(jwt, key)) return true
  return false
}

/** Shorter RSA keys can be factored. @see RFC 7518, section 3.3 */
const leastModulusBits = 2_048

type VerifyingKey = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>

/** Importing a key takes as long as verifying by it, and the keys of an issuer are the same objects for minutes. */
const importedKeys = new WeakMap<JsonObject, { readonly alg: string; readonly key: VerifyingKey }>()

/** A key for an algorithm; `undefined` if it is of another type, or too short. Rejects if it is malformed. */
async function importKey(alg: string, key: JsonObject): Promise<VerifyingKey | undefined> {
  const known = importedKeys.get(key)
  if (known?.alg === alg) return known.key
  const algorithm = algorithms.get(alg)
  const jwk = publicMembers(key)
  if (algorithm === undefined || jwk?.kty !== algorithm.kty) return undefined
  const { subtle } = globalThis.crypto
  const imported = await subtle.importKey('jwk', jwk, algorithm.parameters, false, ['verify'])
  const { modulusLength = leastModulusBits } = imported.algorithm as { modulusLength?: number }
  if (modulusLength < leastModulusBits) return undefined
  importedKeys.set(key, { alg, key: imported })
  return imported
}

async function isSignedBy(
  { header, signed, signature }: DecodedJwt,
  key: JsonObject,
): Promise<boolean> {
  const alg = textOf(header, 'alg') ?? ''
  const algorithm = algorithms.get(alg)
  if (algorithm === undefined) return false
  try {
    const imported = await importKey(alg, key)
    if (imported === undefined) return false
    const bytes = Buffer.from(signed)
    return await globalThis.crypto.subtle.verify(algorithm.parameters, imported, signature, bytes)
  } catch {
    // The key is malformed.
    return false
  }
}
