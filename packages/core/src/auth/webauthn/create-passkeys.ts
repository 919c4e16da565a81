import { decodeInput, exactly, oneOf, optional } from '../../input/decode.ts'
import { type AttestationConveyance, creationOptions, requestOptions } from './options.ts'
import type { Passkeys } from './passkeys.ts'
import { verifyAssertion } from './verify-assertion.ts'
import { verifyCreation } from './verify-creation.ts'

/** Options of {@link createPasskeys}. */
export interface PasskeysOptions {
  /**
   * Requests an attestation of the authenticator's model (default `none`). With any other value the attestation must be valid:
   * its certificates are checked against the roots in `SettingsService` of `@simplewebauthn/server`, which may ask the servers of
   * those roots for revocations.
   */
  attestation?: AttestationConveyance
}

const decodeOptions = exactly<PasskeysOptions>({
  attestation: optional(oneOf(['none', 'indirect', 'direct', 'enterprise'])),
})

/**
 * Creates passkeys with the optional package `@simplewebauthn/server`. Keys are ECDSA on P-256 or RSA, both with SHA-256; user
 * verification and discoverable passkeys are preferred, not required. The page must have one of the party's origins, and so must
 * a page that frames it. Responses of clients never cause an exception.
 *
 * @throws {GatehouseError} `InvalidInput` if `attestation` is not one of the four values.
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
