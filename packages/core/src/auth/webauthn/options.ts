import type { Json } from '../../storage/storage.ts'
import type { Passkeys, StoredPasskey } from './passkeys.ts'

/** What an authenticator is asked to say about itself. @see WebAuthn Level 3, section 5.4.7 */
export type AttestationConveyance = 'none' | 'indirect' | 'direct' | 'enterprise'

type JsonObject = { readonly [name: string]: Json }

/** ECDSA with SHA-256 on P-256, and RSA with PKCS #1 v1.5 and SHA-256. @see IANA, COSE Algorithms */
export const keyAlgorithms: readonly number[] = [-7, -257]

/** How long people have, in ms; as long as a challenge is good. */
const timeout = 300_000

/** The most bytes a browser takes for the id of a user. @see WebAuthn Level 3, section 5.4.3 */
const longestUserId = 64

/**
 * What `navigator.credentials.create()` is asked, in JSON. `user.id` is any text of 1 to 64 bytes; authenticators keep its UTF-8 and
 * give it back as `userHandle`.
 *
 * @throws {RangeError} if the id of the user is longer or empty.
 * @see WebAuthn Level 3, section 5.1.9, `PublicKeyCredentialCreationOptionsJSON`
 */
export function creationOptions(
  party: Parameters<Passkeys['creationOptions']>[0],
  request: Parameters<Passkeys['creationOptions']>[1],
  attestation: AttestationConveyance,
): JsonObject {
  const { challenge, user, exclude } = request
  return {
    rp: { id: party.rp_id, name: party.rp_name },
    user: { id: toUserHandle(user.id), name: user.name, displayName: user.display_name },
    challenge,
    pubKeyCredParams: keyAlgorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout,
    excludeCredentials: exclude.map(toDescriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    attestation,
    extensions: { uvm: true, credProps: true },
  }
}

/**
 * What `navigator.credentials.get()` is asked, in JSON.
 *
 * @see WebAuthn Level 3, section 5.1.10, `PublicKeyCredentialRequestOptionsJSON`
 */
export function requestOptions(
  party: Parameters<Passkeys['requestOptions']>[0],
  { challenge, allow }: Parameters<Passkeys['requestOptions']>[1],
): JsonObject {
  return {
    challenge,
    timeout,
    rpId: party.rp_id,
    ...(allow === undefined ? {} : { allowCredentials: allow.map(toDescriptor) }),
    userVerification: 'preferred',
  }
}

function toUserHandle(id: string): string {
  const bytes = Buffer.from(id)
  if (bytes.length === 0 || bytes.length > longestUserId) {
    throw new RangeError(
      `the id of a user with passkeys must have 1 to ${longestUserId} bytes, not ${bytes.length}`,
    )
  }
  return bytes.toString('base64url')
}

/** Without transports a browser asks every authenticator it reaches; an empty list says as much, and not to all of them. */
function toDescriptor({
  credential_id,
  transports,
}: Pick<StoredPasskey, 'credential_id' | 'transports'>): JsonObject {
  return {
    type: 'public-key',
    id: credential_id,
    ...(transports.length === 0 ? {} : { transports: [...transports] }),
  }
}
