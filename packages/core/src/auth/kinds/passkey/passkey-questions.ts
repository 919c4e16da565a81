import type { Json } from '../../../storage/storage.ts'
import { type Ask, askAny, type Q } from '../../flow/asking.ts'
import type { BaseQuestions } from '../../flow/questions.ts'
import type { LimitQuestions } from '../../limits/limit-questions.ts'
import type { Passkeys, StoredPasskey } from '../../webauthn/passkeys.ts'

/** How a browser finds a passkey. */
export type PasskeyHandle = Pick<StoredPasskey, 'credential_id' | 'transports'>

/** A use of a passkey that was sound. */
export interface PasskeyUse {
  readonly user_id: string
  readonly authenticator_id: string
  /** Whether the authenticator has made sure that it was its user. */
  readonly is_user_verified: boolean
}

/** What rules ask of passkeys. */
export interface PasskeyQuestions {
  /** What a browser is asked to make a passkey with; never the same twice. */
  readonly passkey_creation_options: Q<
    Omit<Parameters<Passkeys['creationOptions']>[1], 'challenge'>,
    { readonly [name: string]: Json }
  >
  /** What a browser is asked to use one with; without `allow` whichever its user chooses. */
  readonly passkey_request_options: Q<
    { readonly allow?: readonly PasskeyHandle[] },
    { readonly [name: string]: Json }
  >
  /**
   * The passkey that a browser has made, and the id it is stored under; `undefined` if the response is not sound. Good once: fails with
   * `WebAuthnSessionNotFound`, and with `InvariantViolated` if somebody has it.
   */
  readonly verify_passkey_creation: Q<
    { readonly response: { readonly [name: string]: Json } },
    { readonly id: string; readonly passkey: StoredPasskey } | undefined
  >
  /** The use of a passkey, of that user if one is named; `undefined` if it is not sound. Good once: fails with `WebAuthnSessionNotFound`. */
  readonly verify_passkey: Q<
    {
      readonly response: { readonly [name: string]: Json }
      readonly user_id: string | undefined
    },
    PasskeyUse | undefined
  >
}

export const ask: Ask<BaseQuestions & LimitQuestions & PasskeyQuestions> = askAny
