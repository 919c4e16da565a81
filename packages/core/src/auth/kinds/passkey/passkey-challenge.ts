import { equalBytes } from '../../../crypto/crypto-secrets.ts'
import type { Json } from '../../../storage/storage.ts'
import type { Instant } from '../../../time/clock.ts'
import type { Random } from '../../random.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { readClientData } from '../../webauthn/client-data.ts'

/** What a challenge is for: to make a passkey, or to use one. */
export type ChallengeUse = 'creation' | 'assertion'

/** What makes challenges and knows them again; an `AuthContext` is one. */
export interface ChallengeMaker {
  readonly random: Random
  readonly secrets: SecretBox
}

/** A challenge that is known and still good. */
export interface KnownChallenge {
  /** Names it among all there are. */
  readonly id: string
  /** From then on it is no good. */
  readonly expiresAt: Instant
}

const lifetimeMs = 5 * 60_000

/** In bytes: what is random, the instant at which it was made, and the front of the MAC of both. */
const randomBytes = 10
const instantBytes = 6
const macBytes = 16
const bodyBytes = randomBytes + instantBytes

/**
 * A challenge for an authenticator to sign: 32 bytes in base64url, good for five minutes. Nothing is stored: whoever has the keys of
 * the host knows it again.
 *
 * @see WebAuthn Level 3, section 13.4.3
 */
export function createChallenge(
  { random, secrets }: ChallengeMaker,
  { use, now }: { readonly use: ChallengeUse; readonly now: Instant },
): string {
  const body = Buffer.alloc(bodyBytes)
  body.set(random(randomBytes))
  body.writeUIntBE(now, randomBytes, instantBytes)
  const mac = frontOf(secrets.mac(purposeOf(use), body.toString('base64url')))
  return Buffer.concat([body, mac]).toString('base64url')
}

/**
 * What a challenge is that {@link createChallenge} made, with any of the keys, for the same use, less than five minutes ago; `undefined`
 * for any other text. It is good once: whoever takes an answer to it writes a record of this id with `if: 'absent'`, to be kept until
 * `expiresAt`, before anything comes of the answer; where there is one already, somebody has answered before.
 */
export function readChallenge(
  { secrets }: Pick<ChallengeMaker, 'secrets'>,
  text: string,
  { use, now }: { readonly use: ChallengeUse; readonly now: Instant },
): KnownChallenge | undefined {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== bodyBytes + macBytes) return undefined
  // Several texts stand for the same bytes; one of them alone was made.
  if (bytes.toString('base64url') !== text) return undefined
  const body = bytes.subarray(0, bodyBytes)
  const id = body.toString('base64url')
  const mac = bytes.subarray(bodyBytes)
  const isOurs = secrets.macs(purposeOf(use), id).some((known) => equalBytes(frontOf(known), mac))
  // An instant to come is one by the clock of another process.
  const expiresAt = body.readUIntBE(randomBytes, instantBytes) + lifetimeMs
  return isOurs && now < expiresAt ? { id, expiresAt } : undefined
}

/** The challenge that the response of a browser says it answers, whatever that is; `undefined` if it says none. */
export function challengeOf({ response }: { readonly [name: string]: Json }): string | undefined {
  if (typeof response !== 'object' || response === null) return undefined
  return 'clientDataJSON' in response
    ? readClientData(response.clientDataJSON)?.challenge
    : undefined
}

const purposeOf = (use: ChallengeUse): string => `passkey-${use}`

/** Half of a MAC, which stands behind the id of its key. @see RFC 2104, section 5 */
function frontOf(mac: string): Uint8Array {
  return Buffer.from(mac.slice(mac.indexOf('.') + 1), 'base64url').subarray(0, macBytes)
}
