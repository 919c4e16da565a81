import { equalBytes } from '../../../crypto/crypto-secrets.ts'
import type { Json } from '../../../storage/storage.ts'
import type { Instant } from '../../../time/clock.ts'
import type { Random } from '../../secrets/random.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { readClientData } from '../../webauthn/client-data.ts'

/** The purpose of a challenge: to create a passkey, or to use one. */
export type ChallengeUse = 'creation' | 'assertion'

/** What creates and recognises challenges. */
export interface ChallengeMaker {
  readonly random: Random
  readonly secrets: SecretBox
}

/** Whom a challenge is for, and when it is created or answered. */
export interface ChallengeOccasion {
  readonly use: ChallengeUse
  /** The flow that shows the challenge. No other flow accepts an answer to it. */
  readonly flow_id: string
  readonly now: Instant
}

/** A recognised challenge that is still valid. */
export interface KnownChallenge {
  /** The unique id of the challenge. */
  readonly id: string
  /** The instant at which the challenge expires. */
  readonly expiresAt: Instant
}

const lifetimeMs = 5 * 60_000

/** In bytes: the random part, the instant of its creation, and the beginning of the MAC of both and of the flow. */
const randomBytes = 10
const instantBytes = 6
const macBytes = 16
const bodyBytes = randomBytes + instantBytes

/**
 * A challenge for an authenticator to sign: 32 bytes in base64url, valid for five minutes. Nothing is stored: every process with
 * the host's keys recognises it.
 *
 * @see WebAuthn Level 3, section 13.4.3
 */
export function createChallenge(
  { random, secrets }: ChallengeMaker,
  { now, ...occasion }: ChallengeOccasion,
): string {
  const body = Buffer.alloc(bodyBytes)
  body.set(random(randomBytes))
  body.writeUIntBE(now, randomBytes, instantBytes)
  const mac = frontOf(
    secrets.mac(purposeOf(occasion), macInput(body.toString('base64url'), occasion)),
  )
  return Buffer.concat([body, mac]).toString('base64url')
}

/**
 * Recognises a challenge that {@link createChallenge} made less than five minutes ago, with any of the keys, for the same
 * purpose and flow; `undefined` for any other text. To make it valid only once, the caller must write a record of its id with `if:
 * 'absent'`, kept until `expiresAt`, before it accepts the response. If the record exists, the challenge was spent before.
 */
export function readChallenge(
  { secrets }: Pick<ChallengeMaker, 'secrets'>,
  text: string,
  { now, ...occasion }: ChallengeOccasion,
): KnownChallenge | undefined {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== bodyBytes + macBytes) return undefined
  // Several texts decode to the same bytes; accept only the canonical one.
  if (bytes.toString('base64url') !== text) return undefined
  const body = bytes.subarray(0, bodyBytes)
  const id = body.toString('base64url')
  const mac = bytes.subarray(bodyBytes)
  const isOurs = secrets
    .macs(purposeOf(occasion), macInput(id, occasion))
    .some((known) => equalBytes(frontOf(known), mac))
  // An instant in the future comes from the clock of another process.
  const expiresAt = body.readUIntBE(randomBytes, instantBytes) + lifetimeMs
  return isOurs && now < expiresAt ? { id, expiresAt } : undefined
}

/** The challenge that a browser's response claims to answer, unchecked; `undefined` if it has none. */
export function challengeOf({ response }: { readonly [name: string]: Json }): string | undefined {
  if (typeof response !== 'object' || response === null) return undefined
  return 'clientDataJSON' in response
    ? readClientData(response.clientDataJSON)?.challenge
    : undefined
}

type Bound = Omit<ChallengeOccasion, 'now'>

const purposeOf = ({ use }: Bound): string => `passkey-${use}`

const macInput = (id: string, { flow_id }: Bound): string => `${flow_id}:${id}`

/** Half of a MAC, without the id of its key. @see RFC 2104, section 5 */
function frontOf(mac: string): Uint8Array {
  return Buffer.from(mac.slice(mac.indexOf('.') + 1), 'base64url').subarray(0, macBytes)
}
