import type { Json } from '../../storage/storage.ts'

type JsonObject = { readonly [name: string]: Json }

/** A passkey as it is stored. Binary members are base64url. */
export interface StoredPasskey {
  readonly credential_id: string
  /** In COSE form. */
  readonly public_key: string
  /** How often the authenticator says it was used; 0 for those that do not count. */
  readonly sign_count: number
  /** How the browser reaches it, as `internal` and `hybrid`. */
  readonly transports: readonly string[]
  /** The model of the authenticator. */
  readonly aaguid: string
  readonly is_backed_up: boolean
}

/** What is the same for all passkeys of a host. */
export interface PasskeyParty {
  /** The host of the public origin. */
  readonly rp_id: string
  readonly rp_name: string
  /** The origins whose pages may use them. */
  readonly origins: readonly string[]
}

/** Makes and checks what browsers exchange for passkeys. @see `createPasskeys` of `@gatehouse/core/passkeys`; WebAuthn Level 3 */
export interface Passkeys {
  /** `PublicKeyCredentialCreationOptions` in JSON. */
  creationOptions(
    party: PasskeyParty,
    request: {
      readonly challenge: string
      /** `id`: a text of 1 to 64 bytes, which comes back as `userHandle` in base64url. */
      readonly user: { readonly id: string; readonly name: string; readonly display_name: string }
      /** Those the user has. */
      readonly exclude: readonly Pick<StoredPasskey, 'credential_id' | 'transports'>[]
    },
  ): JsonObject
  /** `PublicKeyCredentialRequestOptions` in JSON; without `allow` for whichever passkey the user chooses. */
  requestOptions(
    party: PasskeyParty,
    request: {
      readonly challenge: string
      readonly allow?: readonly Pick<StoredPasskey, 'credential_id' | 'transports'>[]
    },
  ): JsonObject
  /** The passkey that was made; `undefined` if the response is not sound. */
  verifyCreation(
    party: PasskeyParty,
    given: { readonly challenge: string; readonly response: JsonObject },
  ): Promise<{ readonly passkey: StoredPasskey; readonly is_user_verified: boolean } | undefined>
  /** Its new count; `undefined` if the response is not sound. */
  verifyAssertion(
    party: PasskeyParty,
    given: {
      readonly challenge: string
      readonly response: JsonObject
      readonly passkey: StoredPasskey
    },
  ): Promise<{ readonly sign_count: number; readonly is_user_verified: boolean } | undefined>
}
