import { verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject, isoCBOR } from '@simplewebauthn/server/helpers'
import { isFromOrigins, readClientData } from './client-data.ts'
import { type AttestationConveyance, keyAlgorithms } from './options.ts'
import type { Passkeys } from './passkeys.ts'
import { type CreationResponse, creationResponseSchema } from './response.ts'

type CborValue = Parameters<typeof isoCBOR.encode>[0]
type Verified = Awaited<ReturnType<Passkeys['verifyCreation']>>

/** In bytes, in COSE form: enough for an RSA key of 8192 bits. */
const maxPublicKeyLength = 2048

/**
 * The new passkey; `undefined` if the response is invalid.
 *
 * @see WebAuthn Level 3, section 7.1
 */
export async function verifyCreation(
  party: Parameters<Passkeys['verifyCreation']>[0],
  given: Parameters<Passkeys['verifyCreation']>[1],
  attestation: AttestationConveyance,
): Promise<Verified> {
  const response = creationResponseSchema.safeParse(given.response).data
  const clientData = readClientData(response?.response.clientDataJSON)
  if (response === undefined || clientData === undefined) return undefined
  if (!isFromOrigins(clientData, party.origins)) return undefined
  try {
    const { registrationInfo: info } = await verifyRegistrationResponse({
      response: toLibrary(response, attestation),
      expectedChallenge: given.challenge,
      expectedOrigin: [...party.origins],
      expectedRPID: party.rp_id,
      requireUserVerification: false,
      supportedAlgorithmIDs: [...keyAlgorithms],
    })
    if (info === undefined || info.credential.id !== response.id) return undefined
    const { publicKey, counter } = info.credential
    if (publicKey.length > maxPublicKeyLength) return undefined
    const passkey = {
      credential_id: response.id,
      public_key: Buffer.from(publicKey).toString('base64url'),
      sign_count: counter,
      transports: response.response.transports,
      aaguid: info.aaguid,
      is_backed_up: info.credentialBackedUp,
    }
    return { passkey, is_user_verified: info.userVerified }
  } catch {
    // The library throws an Error for any invalid response.
    return undefined
  }
}

/**
 * Drops an attestation that was not requested: its certificates need not be trusted, and checking them may ask other servers for
 * revocations.
 */
function toLibrary(
  { id, rawId, type, response }: CreationResponse,
  attestation: AttestationConveyance,
): Parameters<typeof verifyRegistrationResponse>[0]['response'] {
  const { clientDataJSON, attestationObject } = response
  return {
    id,
    rawId,
    type,
    response: {
      clientDataJSON,
      attestationObject:
        attestation === 'none' ? withoutStatement(attestationObject) : attestationObject,
    },
    clientExtensionResults: {},
  }
}

/** @throws {Error} for malformed CBOR. */
function withoutStatement(attestationObject: string): string {
  const bytes = Uint8Array.from(Buffer.from(attestationObject, 'base64url'))
  const authData = decodeAttestationObject(bytes).get('authData')
  const bare = new Map<string, CborValue>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ])
  return Buffer.from(isoCBOR.encode(bare)).toString('base64url')
}
