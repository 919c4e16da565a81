import { retryOnConflict } from '../../../storage/storage.ts'
import type { Account } from '../../accounts/account.ts'
import { loadToChange } from '../../accounts/accounts.ts'
import type { AuthContext, AuthRun } from '../../context.ts'
import { userNotFound } from '../../errors.ts'
import type { AuthEvent } from '../../events/auth-event.ts'
import { finishEvents } from '../../events/finish-events.ts'
import { commitWithEvents } from '../../events/outbox.ts'
import { initialState } from '../../flow/engine.ts'
import { beginRun } from '../../flow/run.ts'
import type { Fact } from '../../flow/state.ts'
import { requestFacts } from '../request-facts.ts'
import { writesOfFacts } from './fact-writes.ts'

/**
 * Stores what the host has established about a user, in one commit and with the same events as at the end of a flow.
 *
 * @throws {GatehouseError} `UserNotFound`; `InvariantViolated` if an identity or an authenticator is taken; or the error of
 * `decide`.
 */
export function establishFacts(
  auth: AuthContext,
  userId: string,
  decide: (account: Account) => readonly Fact[] | Promise<readonly Fact[]>,
): Promise<void> {
  const run = hostRun(auth)
  return retryOnConflict(async () => {
    const stored = await loadToChange(auth.storage, userId)
    if (stored === undefined) throw userNotFound({})
    const { account } = stored
    const facts: readonly Fact[] = [
      { kind: 'user_identified', user_id: userId },
      ...(await decide(account)),
    ]
    const { version } = stored.user
    const { writes, ...written } = await writesOfFacts(run, facts, { userId, account, version })
    const state = initialState('', { type: 'account', name: '', steps: [] }, facts)
    const events = finishEvents(run, state, { ...written, session: undefined, isSignup: false })
    await commitWithEvents(auth, writes, events.map(asHosts))
  })
}

/** A run without a flow, for changes that the host makes itself. */
function hostRun(auth: AuthContext): AuthRun {
  const now = auth.clock.now()
  return beginRun({
    auth,
    request: requestFacts(auth, {}),
    session: {
      flow_id: '',
      root: { type: 'account', name: '' },
      created_at: now,
      client_id: null,
      ui_locales: null,
      state: null,
      x_state: null,
      authorization: null,
    },
    now,
  })
}

function asHosts(event: AuthEvent): AuthEvent {
  const { geo_location_code: _place, ...context } = event.context
  return {
    ...event,
    context: {
      ...context,
      triggered_by: 'admin_api',
      ip_address: null,
      user_agent: null,
      authentication_flow: null,
    },
  }
}
