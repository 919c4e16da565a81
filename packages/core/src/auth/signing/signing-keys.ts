import type { Ids } from '../../crypto/ids.ts'
import { retryOnConflict, type Storage } from '../../storage/storage.ts'
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
  const isDue = (ring: KeyRing): boolean => isRotationDue(ring, clock.now(), everyMs)
  const read = await readKeyRing(ports)
  const ring = isDue(read) ? await addKey(ports, settings, isDue) : read
  const found = await opened(ports, ring)
  if (found !== undefined) return found
  // The secret that sealed the keys is no longer among those of the service.
  const sealed = JSON.stringify(ring)
  const isStill = (stored: KeyRing): boolean => JSON.stringify(stored) === sealed
  const made = await opened(ports, await replaceKeys(ports, isStill))
  if (made === undefined)
    throw new Error('another process has other secrets, and replaces the keys')
  return made
}

async function opened(
  ports: SigningPorts,
  ring: KeyRing,
): Promise<(SigningKey & { readonly privateKey: PrivateKey }) | undefined> {
  const key = signingKeyOf(ring, ports.clock.now())
  const privateKey = key && (await privateKeyOf(ports, key))
  return key && privateKey && { ...key, privateKey }
}

/** Whether the ring as stored is still to be changed: another process may have been first. */
type IsDue = (ring: KeyRing) => boolean

/** Adds a key, which signs when others can know it. Returns the ring as it is stored then. */
export function addKey(
  ports: SigningPorts,
  settings: TokensConfig,
  isDue: IsDue,
): Promise<KeyRing> {
  return changeRing(ports, isDue, async (ring, now) => {
    const kept = validKeys(ring, now, tokenMs(settings)).slice(1 - maxKeys)
    return [...kept, await newKey(ports, activeFrom(ring, now))]
  })
}

/** Replaces all keys by one that signs at once: every token that they have signed ends. Returns the ring as it is stored then. */
export function replaceKeys(ports: SigningPorts, isDue: IsDue): Promise<KeyRing> {
  return changeRing(ports, isDue, async (_ring, now) => [await newKey(ports, now)])
}

function changeRing(
  ports: SigningPorts,
  isDue: IsDue,
  change: (ring: KeyRing, now: Instant) => Promise<readonly SigningKey[]>,
): Promise<KeyRing> {
  const { storage, clock } = ports
  return retryOnConflict(async () => {
    const stored = await keyRingCollection.get(storage, ringId)
    const ring = stored?.value ?? { keys: [] }
    if (!isDue(ring)) return ring
    const next = { keys: await change(ring, clock.now()) }
    await storage.commit([
      keyRingCollection.write(ringId, next, { if: stored?.version ?? 'absent' }),
    ])
    return next
  })
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
