import { decodeInput, exactly, oneOf, optional } from '../../input/decode.ts'
import { type AttestationConveyance, creationOptions, requestOptions } from './options.ts'
import type { Passkeys } from './passkeys.ts'
import { verifyAssertion } from './verify-assertion.ts'
import { verifyCreation } from './verify-creation.ts'

/** Options of {@link createPasskeys}. */
export interface PasskeysOptions {
  /**
   * What authenticators are asked to say about their model (default `none`). With any other value, what they say must hold: what
   * they sign it with is compared with the roots in `SettingsService` of `@simplewebauthn/server`, which may ask the servers of
   * those roots for revoked certificates.
   */
  attestation?: AttestationConveyance
}

const decodeOptions = exactly<PasskeysOptions>({
  attestation: optional(oneOf(['none', 'indirect', 'direct', 'enterprise'])),
})

/**
 * Passkeys by the optional package `@simplewebauthn/server`. Keys are ECDSA on P-256 or RSA, both with SHA-256; user verification and
 * discoverable passkeys are preferred, not required. Pages may ask from the party's origins alone, also where another page frames
 * them. What a client sends never throws.
 *
 * @throws {GatehouseError} `InvalidInput` if `attestation` is none of the four.
 * @see WebAuthn Level 3, section 7
 */
export function createPasskeys(options: PasskeysOptions = {}): Passkeys {
  const { attestation = 'none' } = decodeInput('options', decodeOptions, options)
  return {
    creationOptions: (party, request) => creationOptions(party, request, attestation),
    requestOptions,
    verifyCreation: (party, given) => verifyCreation(party, given, attestation),
    verifyAssertion,
  }
}
