import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import { isFromOrigins, readClientData } from './client-data.ts'
import type { Passkeys } from './passkeys.ts'
import { assertionResponseSchema } from './response.ts'

type Verified = Awaited<ReturnType<Passkeys['verifyAssertion']>>

/**
 * The new count of the passkey; `undefined` if the response is invalid, is of another passkey, or does not raise the count, which
 * means that the passkey was cloned. Passkeys that always count 0 are exempt.
 *
 * @see WebAuthn Level 3, section 7.2
 */
export async function verifyAssertion(
  party: Parameters<Passkeys['verifyAssertion']>[0],
  given: Parameters<Passkeys['verifyAssertion']>[1],
): Promise<Verified> {
  const { passkey } = given
  const response = assertionResponseSchema.safeParse(given.response).data
  const clientData = readClientData(response?.response.clientDataJSON)
  if (response === undefined || clientData === undefined) return undefined
  if (response.id !== passkey.credential_id) return undefined
  if (!isFromOrigins(clientData, party.origins)) return undefined
  try {
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} },
      expectedChallenge: given.challenge,
      expectedOrigin: [...party.origins],
      expectedTopOrigin: [...party.origins],
      expectedRPID: party.rp_id,
      credential: {
        id: passkey.credential_id,
        publicKey: Uint8Array.from(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.sign_count,
      },
      requireUserVerification: false,
    })
    if (!verified) return undefined
    return { sign_count: info.newCounter, is_user_verified: info.userVerified }
  } catch {
    // The library throws an Error for any invalid response.
    return undefined
  }
}
