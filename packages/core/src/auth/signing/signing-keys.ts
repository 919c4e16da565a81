import type { Ids } from '../../crypto/ids.ts'
import { isConflict, type Storage } from '../../storage/storage.ts'
import type { Clock, Instant } from '../../time/clock.ts'
import type { TokensConfig } from '../config/config.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import {
  activeFrom,
  isRotationDue,
  type KeyRing,
  keyRingCollection,
  maxKeys,
  ringId,
  type SigningKey,
  signingKeyOf,
  validKeys,
} from './key-ring.ts'

/** What the keys need of the service. */
export interface SigningPorts {
  readonly storage: Storage
  readonly clock: Clock
  readonly ids: Ids
  readonly secrets: SecretBox
}

type PrivateKey = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>

const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const
const purposeOf = (kid: string): string => `signing key ${kid}`

/** The keys as stored; the ring is empty before the first token. */
export async function readKeyRing({ storage }: Pick<SigningPorts, 'storage'>): Promise<KeyRing> {
  return (await keyRingCollection.get(storage, ringId))?.value ?? { keys: [] }
}

/** The key that signs now. Makes the first one, and the next one in time. */
export async function currentSigningKey(
  ports: SigningPorts,
  settings: TokensConfig,
): Promise<SigningKey & { readonly privateKey: PrivateKey }> {
  const { clock } = ports
  const everyMs = settings.signing_key_rotation_days * 86_400_000
  const read = await readKeyRing(ports)
  const isDue = isRotationDue(read, clock.now(), everyMs)
  const ring = isDue ? await addKey(ports, settings, { unlessYoungerThanMs: everyMs }) : read
  const key = signingKeyOf(ring, clock.now())
  const opened = key && (await privateKeyOf(ports, key))
  if (key !== undefined && opened !== undefined) return { ...key, privateKey: opened }
  // The secret that sealed the keys is no longer among those of the service.
  const [made] = (await addKey(ports, settings, { replacesAll: true })).keys
  if (made === undefined) throw new Error('a ring was stored without its key')
  const privateKey = await privateKeyOf(ports, made)
  if (privateKey === undefined) throw new Error('a key was sealed that cannot be opened')
  return { ...made, privateKey }
}

interface NewKeyOptions {
  /** Whether the other keys end at once, and with them every token that they have signed. */
  readonly replacesAll?: boolean
  /** Adds none if the newest is younger: another process was first (default: adds one in any case). */
  readonly unlessYoungerThanMs?: number
}

/** Adds a key. Returns the ring as it is stored then. */
export async function addKey(
  ports: SigningPorts,
  settings: TokensConfig,
  { replacesAll = false, unlessYoungerThanMs: everyMs = 0 }: NewKeyOptions = {},
): Promise<KeyRing> {
  const { storage, clock } = ports
  const stored = await keyRingCollection.get(storage, ringId)
  const now = clock.now()
  const ring = replacesAll ? { keys: [] } : (stored?.value ?? { keys: [] })
  if (!isRotationDue(ring, now, everyMs)) return ring
  const kept = validKeys(ring, now, tokenMs(settings)).slice(1 - maxKeys)
  const next = { keys: [...kept, await newKey(ports, activeFrom(ring, now))] }
  try {
    await storage.commit([
      keyRingCollection.write(ringId, next, { if: stored?.version ?? 'absent' }),
    ])
    return next
  } catch (error) {
    // Another process has added one, which serves as well.
    if (!isConflict(error)) throw error
    return readKeyRing(ports)
  }
}

/** How long an access token is valid, in ms. */
export const tokenMs = (settings: TokensConfig): number =>
  settings.access_token_lifetime_seconds * 1_000

async function newKey(
  { ids, clock, secrets }: SigningPorts,
  active_from: Instant,
): Promise<SigningKey> {
  const { subtle } = globalThis.crypto
  const pair = await subtle.generateKey(curve, true, ['sign', 'verify'])
  const { x = '', y = '', d = '' } = await subtle.exportKey('jwk', pair.privateKey)
  const kid = ids.random()
  const sealed = secrets.seal({ d }, purposeOf(kid))
  return { kid, created_at: clock.now(), active_from, x, y, sealed }
}

/** `undefined` if none of the service's secrets has sealed it. */
async function privateKeyOf(
  { secrets }: SigningPorts,
  { kid, x, y, sealed }: SigningKey,
): Promise<PrivateKey | undefined> {
  const opened = secrets.open(sealed, purposeOf(kid)) as { readonly d: string } | undefined
  if (opened === undefined) return undefined
  const jwk = { kty: 'EC', crv: curve.namedCurve, x, y, d: opened.d }
  return globalThis.crypto.subtle.importKey('jwk', jwk, curve, false, ['sign'])
}

/** A public key as others get it. @see RFC 7517, section 4 */
export interface PublicJwk {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly use: 'sig'
  readonly alg: 'ES256'
  readonly kid: string
  readonly x: string
  readonly y: string
}

/** The keys that verify access tokens. */
export async function publicKeys(
  ports: Pick<SigningPorts, 'storage' | 'clock'>,
  settings: TokensConfig,
): Promise<readonly PublicJwk[]> {
  const valid = validKeys(await readKeyRing(ports), ports.clock.now(), tokenMs(settings))
  return valid.map(({ kid, x, y }) => ({
    kty: 'EC',
    crv: 'P-256',
    use: 'sig',
    alg: 'ES256',
    kid,
    x,
    y,
  }))
}
