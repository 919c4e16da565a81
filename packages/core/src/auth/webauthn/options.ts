import type { Json } from '../../storage/storage.ts'
import type { Passkeys, StoredPasskey } from './passkeys.ts'

/** How the options request an attestation. @see WebAuthn Level 3, section 5.4.7 */
export type AttestationConveyance = 'none' | 'indirect' | 'direct' | 'enterprise'

type JsonObject = { readonly [name: string]: Json }

/** ECDSA with SHA-256 on P-256, and RSA with PKCS #1 v1.5 and SHA-256. @see IANA, COSE Algorithms */
export const keyAlgorithms: readonly number[] = [-7, -257]

/** How long the user has, in ms; the same as the lifetime of a challenge. */
const timeout = 300_000

/** The longest user id that browsers accept, in bytes. @see WebAuthn Level 3, section 5.4.3 */
const maxUserIdLength = 64

/**
 * The options for `navigator.credentials.create()`, in JSON. `user.id` is any text of 1 to 64 bytes; authenticators store its
 * UTF-8 and return it as `userHandle`.
 *
 * @throws {RangeError} if the user id is empty or longer.
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
 * The options for `navigator.credentials.get()`, in JSON.
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
  if (bytes.length === 0 || bytes.length > maxUserIdLength) {
    throw new RangeError(
      `the id of a user with passkeys must have 1 to ${maxUserIdLength} bytes, not ${bytes.length}`,
    )
  }
  return bytes.toString('base64url')
}

/**
 * Omits empty transports. Without transports a browser tries every authenticator in reach; an empty list means the same, but not
 * to every browser.
 */
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
