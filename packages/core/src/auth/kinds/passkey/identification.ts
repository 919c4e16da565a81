import type { IdentificationKind } from '../../flow/identification.ts'
import { arePasskeysEnabled } from './passkey.ts'
import { assertionSchema, attemptPasskey, passkeyUsed } from './passkey-assertion.ts'
import { ask } from './passkey-questions.ts'

const identification = 'passkey'

/** Identification by a passkey that the user chooses in the browser; it both identifies and authenticates. */
export const passkeyIdentification: IdentificationKind = {
  identification,
  *options(_branch, { config, state }) {
    const isForUsers = state.type === 'login' || state.type === 'signup_login'
    return isForUsers && arePasskeysEnabled(config) ? [{ identification }] : []
  },
  schema: () => assertionSchema,
  *show(option) {
    return { ...option, request_options: yield* ask('passkey_request_options', {}) }
  },
  *identify(_option, input, view) {
    const use = yield* attemptPasskey(view, input)
    return {
      kind: 'user',
      user_id: use.user_id,
      reaction: {
        facts: [passkeyUsed(use)],
        entered: { authenticator_id: use.authenticator_id },
      },
    }
  },
}
