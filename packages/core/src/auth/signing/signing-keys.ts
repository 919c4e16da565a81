import type { Ids } from '../../crypto/ids.ts'
import { type Json, retryOnConflict, type Storage } from '../../storage/storage.ts'
import type { Clock, Instant } from '../../time/clock.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import {
  activeFrom,
  hasNext,
  isRotationDue,
  type KeyRing,
  maxKeys,
  type RingRules,
  type SigningAlgorithm,
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

const purposeOf = (kid: string): string => `signing key ${kid}`

/** How each algorithm makes keys, and which members of a JWK are public. */
const algorithms = {
  ES256: {
    parameters: { name: 'ECDSA', namedCurve: 'P-256' },
    type: { kty: 'EC', crv: 'P-256' },
    members: ['x', 'y'],
  },
  RS256: {
    parameters: {
      name: 'RSASSA-PKCS1-v1_5',
      hash: 'SHA-256',
      modulusLength: 2_048,
      publicExponent: new Uint8Array([1, 0, 1]),
    },
    type: { kty: 'RSA' },
    members: ['n', 'e'],
  },
} as const satisfies Readonly<Record<SigningAlgorithm, object>>

/** The keys as stored; a ring is empty before the first token. */
async function readKeyRing(
  { storage }: Pick<SigningPorts, 'storage'>,
  { collection, id }: RingRules,
): Promise<KeyRing> {
  return (await collection.get(storage, id))?.value ?? { keys: [] }
}

/** The ring with a key that signs now. Makes the first one, and the next one in time. */
async function currentRing(ports: SigningPorts, rules: RingRules): Promise<KeyRing> {
  const { clock } = ports
  const isDue = (ring: KeyRing): boolean => isRotationDue(ring, clock.now(), rules.rotateEveryMs)
  const read = await readKeyRing(ports, rules)
  const ring = isDue(read) ? await addKey(ports, rules, isDue) : read
  if (openedJwk(ports, rules, signingKeyOf(ring, clock.now())) !== undefined) return ring
  // The secret that sealed the keys is no longer among those of the service.
  const sealed = JSON.stringify(ring)
  return replaceKeys(ports, rules, (stored) => JSON.stringify(stored) === sealed)
}

/** The key that signs now. Makes the first one, and the next one in time. */
export async function currentSigningKey(
  ports: SigningPorts,
  rules: RingRules,
): Promise<{ readonly kid: string; readonly privateKey: PrivateKey }> {
  const key = signingKeyOf(await currentRing(ports, rules), ports.clock.now())
  const jwk = openedJwk(ports, rules, key)
  if (key === undefined || jwk === undefined) throw othersSecrets()
  const { parameters } = algorithms[rules.alg]
  const privateKey = await globalThis.crypto.subtle.importKey('jwk', jwk, parameters, false, [
    'sign',
  ])
  return { kid: key.kid, privateKey }
}

/**
 * The keys that are published, with their private parts, for a library that signs by itself: the one that signs now, then the
 * others. Makes the first one, and the next one in time.
 */
export async function privateJwks(
  ports: SigningPorts,
  rules: RingRules,
): Promise<readonly Readonly<Record<string, string>>[]> {
  const ring = await currentRing(ports, rules)
  // Read after the ring: a key that was only just made signs from then on.
  const now = ports.clock.now()
  const signing = signingKeyOf(ring, now)
  const others = validKeys(ring, now, rules.validForMs).filter((key) => key !== signing)
  const [first, ...rest] = [signing, ...others].map((key) => openedJwk(ports, rules, key))
  if (first === undefined) throw othersSecrets()
  // What no secret opens any more cannot have signed anything that is still valid here.
  return [first, ...rest.filter((jwk) => jwk !== undefined)]
}

const othersSecrets = (): Error =>
  new Error('another process has other secrets, and replaces the keys')

/** A key as a JWK; `undefined` if there is none, or none of the service's secrets has sealed it. */
function openedJwk(
  { secrets }: SigningPorts,
  { alg }: RingRules,
  key: SigningKey | undefined,
): Readonly<Record<string, string>> | undefined {
  const opened = key && secrets.open(key.sealed, purposeOf(key.kid))
  if (key === undefined || opened === undefined) return undefined
  // Sealed below, as an object of strings.
  return { ...publicJwk(key, alg), ...(opened as Readonly<Record<string, string>>) }
}

/** Whether the ring as stored is still to be changed: another process may have been first. */
type IsDue = (ring: KeyRing) => boolean

/** Adds a key, which signs when others can know it. Returns the ring as it is stored then. */
function addKey(ports: SigningPorts, rules: RingRules, isDue: IsDue): Promise<KeyRing> {
  return changeRing(ports, rules, isDue, async (ring, now) => {
    const kept = validKeys(ring, now, rules.validForMs).slice(1 - maxKeys)
    return [...kept, await newKey(ports, rules, activeFrom(ring, now))]
  })
}

/** Replaces all keys by one that signs at once: every token that they have signed ends. Returns the ring as it is stored then. */
function replaceKeys(ports: SigningPorts, rules: RingRules, isDue: IsDue): Promise<KeyRing> {
  return changeRing(ports, rules, isDue, async (_ring, now) => [await newKey(ports, rules, now)])
}

function changeRing(
  ports: SigningPorts,
  { collection, id }: RingRules,
  isDue: IsDue,
  change: (ring: KeyRing, now: Instant) => Promise<readonly SigningKey[]>,
): Promise<KeyRing> {
  const { storage, clock } = ports
  return retryOnConflict(async () => {
    const stored = await collection.get(storage, id)
    const ring = stored?.value ?? { keys: [] }
    if (!isDue(ring)) return ring
    const next = { keys: await change(ring, clock.now()) }
    await storage.commit([collection.write(id, next, { if: stored?.version ?? 'absent' })])
    return next
  })
}

async function newKey(
  { ids, clock, secrets }: SigningPorts,
  { alg }: RingRules,
  active_from: Instant,
): Promise<SigningKey> {
  const { subtle } = globalThis.crypto
  const { parameters, members } = algorithms[alg]
  const pair = await subtle.generateKey(parameters, true, ['sign', 'verify'])
  if (!('privateKey' in pair)) throw new TypeError(`${alg} has no pairs of keys`)
  const jwk: Readonly<Record<string, unknown>> = {
    ...(await subtle.exportKey('jwk', pair.privateKey)),
  }
  const pick = (names: readonly string[]): Readonly<Record<string, Json>> =>
    Object.fromEntries(names.flatMap((name) => (jwk[name] ? [[name, String(jwk[name])]] : [])))
  const kid = ids.random()
  const sealed = secrets.seal(pick(privateMembers), purposeOf(kid))
  return { kid, created_at: clock.now(), active_from, ...pick(members), sealed }
}

/** @see RFC 7518, sections 6.2.2 and 6.3.2 */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi']

/** A public key as others get it. @see RFC 7517, section 4 */
export interface PublicJwk {
  readonly kty: 'EC' | 'RSA'
  readonly crv?: 'P-256'
  readonly use: 'sig'
  readonly alg: SigningAlgorithm
  readonly kid: string
  readonly x?: string
  readonly y?: string
  readonly n?: string
  readonly e?: string
}

function publicJwk({ kid, x, y, n, e }: SigningKey, alg: SigningAlgorithm): PublicJwk {
  const { type } = algorithms[alg]
  const members = Object.entries({ x, y, n, e }).filter(([, value]) => value !== undefined)
  return { ...type, use: 'sig', alg, kid, ...Object.fromEntries(members) }
}

/** The keys that verify what those of a ring have signed. */
export async function publicKeys(
  ports: Pick<SigningPorts, 'storage' | 'clock'>,
  rules: RingRules,
): Promise<readonly PublicJwk[]> {
  const valid = validKeys(await readKeyRing(ports, rules), ports.clock.now(), rules.validForMs)
  return valid.map((key) => publicJwk(key, rules.alg))
}

/** A key, without its private part. */
export interface ListedSigningKey {
  readonly kid: string
  readonly created_at: Instant
  /** From when it signs. */
  readonly active_from: Instant
  /** `next` is published and does not sign yet; `retiring` does not sign any more, and its tokens are still valid. */
  readonly state: 'next' | 'signing' | 'retiring'
}

/** The keys of a ring that are valid, the one that signs last of all at the end; none before the first token. */
export async function listKeyRing(
  ports: Pick<SigningPorts, 'storage' | 'clock'>,
  rules: RingRules,
): Promise<readonly ListedSigningKey[]> {
  const now = ports.clock.now()
  const ring = await readKeyRing(ports, rules)
  const signing = signingKeyOf(ring, now)
  return validKeys(ring, now, rules.validForMs).map((key) => {
    const { kid, created_at, active_from } = key
    const old = kid === signing?.kid ? 'signing' : 'retiring'
    return { kid, created_at, active_from, state: active_from > now ? 'next' : old }
  })
}

/** Makes a new key before it is due; none if one is waiting already for its turn. With `revoke`, all others end at once. */
export async function rotateKeyRing(
  ports: SigningPorts,
  rules: RingRules,
  { revoke = false }: { readonly revoke?: boolean } = {},
): Promise<readonly ListedSigningKey[]> {
  if (revoke) await replaceKeys(ports, rules, () => true)
  else await addKey(ports, rules, (ring) => !hasNext(ring, ports.clock.now()))
  return listKeyRing(ports, rules)
}
