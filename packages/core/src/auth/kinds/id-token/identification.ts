import { authError, sessionChanged, userNotFound } from '../../errors.ts'
import type { Asking } from '../../flow/asking.ts'
import type { IdentificationKind } from '../../flow/identification.ts'
import { leavesSessionsToBridge } from '../../flow/session/session.ts'
import type { Fact } from '../../flow/state.ts'
import type { FlowView } from '../../flow/view.ts'
import { ask } from './id-token-questions.ts'

const identification = 'id_token'

/** Longer ones are nobody's. */
const longestToken = 16_384

/**
 * Identification by an ID token of the host's own, which may have expired. In a `reauth` it must be of the user whose session the
 * request has.
 *
 * @see Authentication Flow API, `id_token`
 */
export const idTokenIdentification: IdentificationKind = {
  identification,
  *options(_branch, { state }) {
    const isForUsers = ['login', 'signup_login', 'reauth'].includes(state.type)
    return isForUsers ? [{ identification }] : []
  },
  schema: () => ({ required: ['id_token'], properties: { id_token: { type: 'string' } } }),
  *identify(_option, { id_token: token }, view) {
    const userId = yield* userOf(String(token))
    const facts = view.state.type === 'reauth' ? yield* renewal(userId, view) : []
    return { kind: 'user', user_id: userId, reaction: { facts } }
  },
}

function* userOf(token: string): Asking<string> {
  const isTooLong = token.length > longestToken
  const userId = isTooLong ? undefined : yield* ask('id_token_user', { token })
  if (userId === undefined) throw authError('Invalid', 'Invalid', 'invalid ID token')
  const account = yield* ask('account', { user_id: userId })
  if (account === undefined) throw userNotFound({ IdentityTypeIncoming: identification })
  return userId
}

/** That the session of the request is what is renewed. Without one, an old token and any one factor would open a session. */
function* renewal(userId: string, view: FlowView): Asking<readonly Fact[]> {
  if (leavesSessionsToBridge(view.session)) return []
  const session = yield* ask('session', undefined)
  if (session?.user_id !== userId) throw sessionChanged()
  return [{ kind: 'session_used', session_id: session.id, renew: true }]
}
