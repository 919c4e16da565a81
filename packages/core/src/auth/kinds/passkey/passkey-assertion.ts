import type { Asking } from '../../flow/asking.ts'
import type { Fact } from '../../flow/state.ts'
import type { FlowInput, FlowView } from '../../flow/view.ts'
import { attempt } from '../../limits/attempt.ts'
import { passkeyBuckets } from '../../limits/buckets.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { credentialSchema } from './credential-schema.ts'
import type { PasskeyUse } from './passkey-questions.ts'
import { ask } from './passkey-questions.ts'

/** The schema of an input with an assertion response. */
export const assertionSchema: JsonSchema = {
  required: ['assertion_response'],
  properties: {
    assertion_response: credentialSchema('authenticatorData', 'clientDataJSON', 'signature'),
  },
}

/**
 * Verifies the use of a passkey, of the given user or, if none is known yet, of any.
 *
 * @throws {GatehouseError} `RateLimited`, `InvalidCredentials`; `WebAuthnSessionNotFound` if its challenge has expired or was
 *   spent.
 */
export function* attemptPasskey(
  view: FlowView,
  { assertion_response: response }: FlowInput,
  userId?: string,
): Asking<PasskeyUse> {
  return yield* attempt({
    user_id: userId,
    uses: passkeyBuckets(view),
    type: 'passkey',
    event: 'authentication.primary.passkey.failed',
    check: () => ask('verify_passkey', { response: response as FlowInput, user_id: userId }),
  })
}

/** The fact that a passkey was used. */
export function passkeyUsed({ authenticator_id, is_user_verified }: PasskeyUse): Fact {
  return {
    kind: 'authentication_used',
    authentication: 'primary_passkey',
    authenticator_id,
    ...(is_user_verified ? { user_verified: true } : {}),
  }
}
