import type { Authenticator } from '../../flow/authenticator.ts'
import type { FlowView } from '../../flow/view.ts'
import { isUsed } from '../../limits/attempt.ts'
import { arePasskeysEnabled, passkeysOf } from './passkey.ts'
import { assertionSchema, attemptPasskey, passkeyUsed } from './passkey-assertion.ts'
import type { PasskeyHandle } from './passkey-questions.ts'
import { ask } from './passkey-questions.ts'

const authentication = 'primary_passkey'

/** Whether it must not be revealed who has a passkey: with enumeration protection, until another authentication. */
function isHidden({ config, state }: FlowView): boolean {
  return (
    config.authentication.enumeration_protection !== 'off' &&
    !state.facts.some(({ kind }) => kind === 'authentication_used')
  )
}

/** Authentication by a passkey of a known user. */
export const passkeyAuthenticator: Authenticator = {
  authentication,
  kind: 'primary',
  identifies: true,
  amr: ['x_passkey', `x_${authentication}`],
  *offer(_branch, account, view) {
    if (!arePasskeysEnabled(view.config) || isUsed(view, authentication)) return []
    const option = { authentication }
    // The browser lets the user choose a passkey, and does not tell the page who has none.
    if (isHidden(view)) return [{ option }]
    const allow = passkeysOf(account).map(({ credential_id, transports }) => {
      return { credential_id, transports }
    })
    return allow.length === 0 ? [] : [{ option, hidden: { allow } }]
  },
  *show({ option, hidden = {} }) {
    const { allow } = hidden as { readonly allow?: readonly PasskeyHandle[] }
    const request = allow === undefined ? {} : { allow }
    return { ...option, request_options: yield* ask('passkey_request_options', request) }
  },
  schema: () => assertionSchema,
  *authenticate(_offered, input, { user }, view) {
    const use = yield* attemptPasskey(view, input, user.id)
    return { facts: [passkeyUsed(use)], entered: { authenticator_id: use.authenticator_id } }
  },
}
