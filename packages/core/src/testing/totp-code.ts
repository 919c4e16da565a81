import { totpCode as codeOfStep, totpStep } from '../auth/kinds/totp/totp.ts'
import { decodeBase32 } from '../auth/secrets/base32.ts'
import { type Decode, decodeInput, having, rawText } from '../input/decode.ts'
import { refuse } from '../input/refusal.ts'
import type { Clock } from '../time/clock.ts'

const secretBytes: Decode<Uint8Array> = (value) => {
  const bytes = decodeBase32(rawText(value))
  // The value is not shown: it may be a secret that was mistyped.
  return bytes === undefined || bytes.length === 0
    ? refuse('a secret in Base32, as the prompt of secondary_totp has it', undefined)
    : bytes
}

const clockInput = having<Pick<Clock, 'now'>>('a clock', 'now')

/**
 * The code that an authenticator app shows for a secret now: six digits, a new one every 30 seconds.
 *
 * @param secret in Base32, as `data.secret` of the prompt that sets the app up.
 * @throws {GatehouseError} `InvalidInput` if the secret is not Base32.
 * @see RFC 6238
 */
export function totpCode(secret: string, clock: Pick<Clock, 'now'>): string {
  const bytes = decodeInput('secret', secretBytes, secret)
  return codeOfStep(bytes, totpStep(decodeInput('clock', clockInput, clock).now()))
}
