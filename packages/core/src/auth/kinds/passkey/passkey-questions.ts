import type { Json } from '../../../storage/storage.ts'
import { type Ask, askAny, type Q } from '../../flow/asking.ts'
import type { BaseQuestions } from '../../flow/questions.ts'
import type { LimitQuestions } from '../../limits/limit-questions.ts'
import type { Passkeys, StoredPasskey } from '../../webauthn/passkeys.ts'

/** The data a browser needs to find a passkey. */
export type PasskeyHandle = Pick<StoredPasskey, 'credential_id' | 'transports'>

/** A valid use of a passkey. */
export interface PasskeyUse {
  readonly user_id: string
  readonly authenticator_id: string
  /** Whether the authenticator has verified its user. */
  readonly is_user_verified: boolean
}

/** The questions of rules about passkeys. */
export interface PasskeyQuestions {
  /** The options to create a passkey; never the same twice. */
  readonly passkey_creation_options: Q<
    Omit<Parameters<Passkeys['creationOptions']>[1], 'challenge'>,
    { readonly [name: string]: Json }
  >
  /** The options to use a passkey; without `allow` the user may choose any. */
  readonly passkey_request_options: Q<
    { readonly allow?: readonly PasskeyHandle[] },
    { readonly [name: string]: Json }
  >
  /**
   * The new passkey, and the id it is stored under; `undefined` if the response is invalid. Valid once: fails with
   * `WebAuthnSessionNotFound`, and with `InvariantViolated` if the passkey is registered already.
   */
  readonly verify_passkey_creation: Q<
    { readonly response: { readonly [name: string]: Json } },
    { readonly id: string; readonly passkey: StoredPasskey } | undefined
  >
  /**
   * The use of a passkey, of the given user if there is one; `undefined` if it is invalid. Valid once: fails with
   * `WebAuthnSessionNotFound`.
   */
  readonly verify_passkey: Q<
    {
      readonly response: { readonly [name: string]: Json }
      readonly user_id: string | undefined
    },
    PasskeyUse | undefined
  >
}

export const ask: Ask<BaseQuestions & LimitQuestions & PasskeyQuestions> = askAny
