import { authError, sessionChanged, userNotFound } from '../../errors.ts'
import type { Asking } from '../../flow/asking.ts'
import type { IdentificationKind } from '../../flow/identification.ts'
import { ownOf } from '../../flow/session/own-records.ts'
import { leavesSessionsToBridge } from '../../flow/session/session.ts'
import type { Fact } from '../../flow/state.ts'
import type { FlowView } from '../../flow/view.ts'
import { ask } from './id-token-questions.ts'
import type { IdTokenUser } from './id-token-verifier.ts'

const identification = 'id_token'

/** Longer tokens are refused. */
const maxTokenLength = 16_384

/**
 * Identification by an ID token of the host, which may have expired. In a `reauth` the token must name a
 * session of its user, or be for the user of the request's session.
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
    const user = yield* userOf(String(token))
    const facts = view.state.type === 'reauth' ? yield* renewal(user, view) : []
    return { kind: 'user', user_id: user.user_id, reaction: { facts } }
  },
}

function* userOf(token: string): Asking<IdTokenUser> {
  const isTooLong = token.length > maxTokenLength
  const user = isTooLong ? undefined : yield* ask('id_token_user', { token })
  if (user === undefined) throw authError('Invalid', 'Invalid', 'invalid ID token')
  const account = yield* ask('account', { user_id: user.user_id })
  if (account === undefined) throw userNotFound({ IdentityTypeIncoming: identification })
  return user
}

/**
 * The fact that a session will be renewed: the one that the token names, or that of the request. Without a session, an old token
 * and any one factor would open one.
 */
function* renewal(
  { user_id: userId, session_id: named }: IdTokenUser,
  view: FlowView,
): Asking<readonly Fact[]> {
  if (leavesSessionsToBridge(view.session)) return []
  const session = yield* ask('session', named === undefined ? undefined : { id: named })
  if (session?.user_id !== userId) throw sessionChanged()
  const account = yield* ask('account', { user_id: userId })
  const own = account === undefined ? [] : ownOf(session, account)
  const used = { session_id: session.id, renew: true, own }
  return [{ kind: 'session_used', ...used, ...(named === undefined ? {} : { is_named: true }) }]
}
