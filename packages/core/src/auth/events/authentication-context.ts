import type { Account } from '../accounts/account.ts'
import { isUserUnknown } from '../flow/account.ts'
import type { FlowKinds } from '../flow/kinds.ts'
import { sessionAmr } from '../flow/session/amr.ts'
import { usedAuthenticators } from '../flow/session/used-authenticators.ts'
import type { FlowSnapshot } from '../flow/state.ts'
import { eventAuthenticator, eventIdentity, eventUser } from './event-records.ts'
import type { AuthenticationContext } from './hook.ts'

/**
 * The part of a flow that hooks receive.
 *
 * @param account the user's account if the flow ended as it stands.
 * @see Authgear, `authentication_context` of blocking events
 */
export function authenticationContext(
  state: FlowSnapshot,
  account: Account | undefined,
  kinds: FlowKinds,
): AuthenticationContext {
  const { type, name, facts } = state
  const known = isUserUnknown(facts) ? undefined : account
  const used = usedAuthenticators(facts, kinds)
  return {
    authentication_flow: { type, name },
    user: known === undefined ? null : eventUser(known.user),
    identities: (known?.identities ?? []).map(eventIdentity),
    asserted_identifications: identifications(state, known),
    asserted_authentications: used.map(({ authentication, id }) => {
      const found = known?.authenticators.find((one) => one.id === id)
      return {
        authentication,
        authenticator: found === undefined ? null : eventAuthenticator(found),
      }
    }),
    amr: sessionAmr(used),
  }
}

function identifications(
  { entered }: FlowSnapshot,
  account: Account | undefined,
): AuthenticationContext['asserted_identifications'] {
  return entered.flatMap(({ identification, identity_id: id }) => {
    if (identification === undefined) return []
    const found = account?.identities.find((one) => one.id === id)
    return [{ identification, identity: found === undefined ? null : eventIdentity(found) }]
  })
}
