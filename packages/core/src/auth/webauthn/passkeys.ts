import type { Json } from '../../storage/storage.ts'

type JsonObject = { readonly [name: string]: Json }

/** A stored passkey. Binary members are base64url. */
export interface StoredPasskey {
  readonly credential_id: string
  /** In COSE form. */
  readonly public_key: string
  /** The number of uses, as the authenticator counts them; 0 if it does not count. */
  readonly sign_count: number
  /** How the browser reaches the authenticator, such as `internal` and `hybrid`. */
  readonly transports: readonly string[]
  /** The model of the authenticator. */
  readonly aaguid: string
  readonly is_backed_up: boolean
}

/** The relying party, which is the same for all passkeys of a host. */
export interface PasskeyParty {
  /** The host of the public origin. */
  readonly rp_id: string
  readonly rp_name: string
  /** The origins whose pages may use the passkeys. */
  readonly origins: readonly string[]
}

/**
 * Creates options for browsers and verifies their responses. @see `createPasskeys` of `@gatehouse/core/passkeys`; WebAuthn Level
 * 3
 */
export interface Passkeys {
  /** `PublicKeyCredentialCreationOptions` in JSON. */
  creationOptions(
    party: PasskeyParty,
    request: {
      readonly challenge: string
      /** `id`: a text of 1 to 64 bytes, which returns as `userHandle` in base64url. */
      readonly user: { readonly id: string; readonly name: string; readonly display_name: string }
      /** The passkeys that the user has already. */
      readonly exclude: readonly Pick<StoredPasskey, 'credential_id' | 'transports'>[]
    },
  ): JsonObject
  /** `PublicKeyCredentialRequestOptions` in JSON; without `allow` the user may choose any passkey. */
  requestOptions(
    party: PasskeyParty,
    request: {
      readonly challenge: string
      readonly allow?: readonly Pick<StoredPasskey, 'credential_id' | 'transports'>[]
    },
  ): JsonObject
  /** The new passkey; `undefined` if the response is invalid. */
  verifyCreation(
    party: PasskeyParty,
    given: { readonly challenge: string; readonly response: JsonObject },
  ): Promise<{ readonly passkey: StoredPasskey; readonly is_user_verified: boolean } | undefined>
  /** The new count of the passkey; `undefined` if the response is invalid. */
  verifyAssertion(
    party: PasskeyParty,
    given: {
      readonly challenge: string
      readonly response: JsonObject
      readonly passkey: StoredPasskey
    },
  ): Promise<{ readonly sign_count: number; readonly is_user_verified: boolean } | undefined>
}
