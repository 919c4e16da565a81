import { isGatehouseError } from '../../errors.ts'
import { decodeInput, json, objectOf } from '../../input/decode.ts'
import type { Account } from '../accounts/account.ts'
import { statusProblem } from '../accounts/account-status.ts'
import { loadAccount } from '../accounts/accounts.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import type { AuthContext } from '../context.ts'
import { userNotFound } from '../errors.ts'
import { beginFlow, initialState, isFinished, withFlowType } from '../flow/engine.ts'
import { ownOf } from '../flow/session/own-records.ts'
import type { Session } from '../flow/session/session.ts'
import type { Fact, FlowSnapshot } from '../flow/state.ts'
import { storeFlow } from '../flow-states/store.ts'
import type { FlowResult, RequestContext } from '../flows/flow-result.ts'
import { requestFields } from '../flows/operation-input.ts'
import { requestFacts } from '../flows/request-facts.ts'
import { failed, perform, runRules, show } from '../flows/run/run-flow.ts'
import { checkRequestLimit } from '../limits/request-limit.ts'
import { sessionInput } from '../sessions/session-input.ts'
import { type AccountFlowChange, decodeAccountChange } from './account-change.ts'
import { type AccountFlow, accountFlow } from './account-flow.ts'
import { accessFields, freshFields } from './account-input.ts'
import { accountRun } from './account-run.ts'
import { checkFresh, checkOwn, type FreshOptions } from './fresh.ts'
import type { ProfileAccess } from './profile-access.ts'

/** The request that changes an account, with the options that apply. */
export interface AccountFlowRequest extends RequestContext, FreshOptions, ProfileAccess {}

const decodeRequest = objectOf<AccountFlowRequest>({
  ...requestFields,
  ...freshFields,
  ...accessFields,
})

/**
 * Begins a flow that changes the account of the session's user. It continues with `advanceFlow()` and `getFlowState()` like every
 * flow. Nothing changes before it ends, and its last request must still carry the session's cookie.
 *
 * Fails, as a result, with `ReauthenticationRequired` if the user has to authenticate again; `InvariantViolated`
 * (`IdentityModifyDisabled`, `ClaimNotVerifiable`, `NoAuthenticator`, `DuplicatedAuthenticator`, `AnonymousUserDisallowed`);
 * `ChangePasswordFailed` (`NoPassword`); `IdentityNotFound`; `AccessControlViolated`; `UserNotFound`; `DisabledUser` and the
 * other errors of the account status.
 */
export async function beginAccountFlow(
  auth: AuthContext,
  of: Session,
  what: AccountFlowChange,
  given: AccountFlowRequest = {},
): Promise<FlowResult> {
  const session = decodeInput('session', sessionInput, of)
  const change = await decodeAccountChange(decodeInput('change', json, what))
  const request = decodeInput('request', decodeRequest, given)
  try {
    await checkRequestLimit(auth, requestFacts(auth, request))
    checkOwn(session)
    const account = await signedIn(auth, session)
    const flow = flowOf(auth, account, change, request)
    if (flow.needsFresh) checkFresh(auth, session, request)
    const run = accountRun(auth, session, flow.name, request)
    const own = await ownRecordsOf(auth, session, account)
    const state = stateOf(run.session.flow_id, flow, { ...session, own })
    const first = await runRules(run, state, (view) => beginFlow(view, auth.kinds))
    if (isFinished(first.state))
      throw new TypeError(`the change "${flow.name}" has no step that prompts`)
    const cookies = await perform(run, first)
    const token = await storeFlow(auth, run.session, first.state)
    return { ok: true, result: await show(run, token, first.state), cookies }
  } catch (error) {
    return failed(error, auth)
  }
}

/** The records that the session has used or set up. */
async function ownRecordsOf(
  { storage }: AuthContext,
  session: Session,
  account: Account,
): Promise<readonly string[]> {
  const stored = await sessionCollection.get(storage, session.id)
  return ownOf(stored?.value ?? session, account)
}

/** The account of the session's user. */
async function signedIn(auth: AuthContext, { user_id: id }: Session): Promise<Account> {
  const account = await loadAccount(auth.storage, id)
  if (account === undefined) throw userNotFound({})
  const problem = statusProblem(account.user, auth.clock.now())
  if (problem !== undefined) throw problem
  return account
}

function flowOf(
  { config, kinds }: AuthContext,
  account: Account,
  change: AccountFlowChange,
  access: ProfileAccess,
): AccountFlow {
  try {
    return accountFlow(change, { ...access, account, config: config.current, kinds })
  } catch (error) {
    throw isGatehouseError(error) ? withFlowType(error, 'account') : error
  }
}

function stateOf(
  flowId: string,
  { name, steps, facts = [], entered = [] }: AccountFlow,
  { id: session_id, user_id, own }: Session & { readonly own: readonly string[] },
): FlowSnapshot {
  const known: readonly Fact[] = [
    { kind: 'user_identified', user_id },
    { kind: 'session_used', session_id, renew: false, own },
    ...facts,
  ]
  return { ...initialState(flowId, { type: 'account', name, steps }, known), entered }
}
