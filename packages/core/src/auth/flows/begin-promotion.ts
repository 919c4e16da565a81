import { isGatehouseError } from '../../errors.ts'
import { statusProblem } from '../accounts/account-status.ts'
import { loadAccount } from '../accounts/accounts.ts'
import { isAnonymous, noAnonymousUser } from '../accounts/anonymous.ts'
import type { AuthRun } from '../context.ts'
import { emitEvent } from '../events/outbox.ts'
import { withFlowType } from '../flow/engine.ts'
import { sessionTokenOf } from '../flow/session/session.ts'
import type { Fact } from '../flow/state.ts'
import { findSession } from '../sessions/find-session.ts'
import { checkAnonymousAllowed } from './anonymous-allowed.ts'

/**
 * Finds the user of a `promote` flow: the anonymous user who signed the login hint, else the one of the request's session.
 *
 * @throws {GatehouseError} `UserNotFound` if there is none; `InvariantViolated` (`AnonymousUserDisallowed`); `DisabledUser` and
 * the other errors of the account status.
 */
export async function beginPromotion(run: AuthRun): Promise<readonly Fact[]> {
  try {
    checkAnonymousAllowed(run.auth.config.current)
    const userId = (await hintedUser(run)) ?? (await userOfSession(run))
    const account = userId === undefined ? undefined : await loadAccount(run.auth.storage, userId)
    if (account === undefined || !isAnonymous(account.identities)) {
      await emitEvent(run, 'authentication.identity.anonymous.failed', {})
      throw noAnonymousUser()
    }
    const problem = statusProblem(account.user, run.now)
    if (problem !== undefined) throw problem
    return [{ kind: 'user_identified', user_id: account.user.id, is_promoted: true }]
  } catch (error) {
    throw isGatehouseError(error) ? withFlowType(error, 'promote') : error
  }
}

async function hintedUser({ auth, session }: AuthRun): Promise<string | undefined> {
  const { login_hint: hint } = session
  return hint === undefined ? undefined : auth.promotionVerifier?.(hint)
}

async function userOfSession(run: AuthRun): Promise<string | undefined> {
  const token = sessionTokenOf(run)
  const record = token === null ? undefined : await findSession(run.auth, token, run.now)
  return record?.value.impersonated_by === undefined ? record?.value.user_id : undefined
}
