import { sessionChanged } from '../../errors.ts'
import type { IdentificationKind, IdentificationOption } from '../../flow/identification.ts'
import { ask } from '../../flow/questions.ts'
import { ownOf } from '../../flow/session/own-records.ts'
import type { Session } from '../../flow/session/session.ts'
import type { FlowView } from '../../flow/view.ts'
import { displayNameOf } from './display-name.ts'

const identification = 'select_account'

/**
 * Identification by the browser's existing session, which the flow then continues. The option belongs to the session of the
 * request that reached the state.
 *
 * @see Authentication Flow API, `select_account`
 */
export const selectAccountIdentification: IdentificationKind = {
  identification,
  *options(_branch, view) {
    if (!mayGoOn(view)) return []
    const session = yield* ask('session', undefined)
    const account = session && (yield* ask('account', { user_id: session.user_id }))
    const name = account && displayNameOf(account.identities, view.config)
    // Anonymous users have no account to select.
    if (session === undefined || name === undefined) return []
    const { id: session_id, user_id } = session
    return [{ identification, display_name: name, user_id, session_id }]
  },
  // A client with the token of the state but without the session must not learn its user.
  *show(option) {
    const { display_name, user_id } = option
    const session = yield* ask('session', undefined)
    if (!isOf(session, option)) return { identification }
    return { identification, display_name: display_name ?? '', user_id: user_id ?? '' }
  },
  schema: (_option, index) => ({ required: ['index'], properties: { index: { const: index } } }),
  *identify(option) {
    const session = yield* ask('session', undefined)
    if (session === undefined || !isOf(session, option)) throw sessionChanged()
    const { id: session_id, user_id } = session
    const account = yield* ask('account', { user_id })
    const own = account === undefined ? [] : ownOf(session, account)
    return {
      kind: 'user',
      user_id,
      reaction: { facts: [{ kind: 'session_used', session_id, renew: false, own }] },
    }
  },
}

/** Whether a flow may end with the existing session. */
function mayGoOn({ state, session }: FlowView): boolean {
  const isLogin = state.type === 'login' || state.type === 'signup_login'
  return isLogin && session.authorization?.prompt?.includes('login') !== true
}

function isOf(
  session: Session | undefined,
  { session_id, user_id }: IdentificationOption,
): boolean {
  return session?.id === session_id && session?.user_id === user_id
}
