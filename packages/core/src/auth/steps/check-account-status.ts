import { statusProblem } from '../accounts/account-status.ts'
import type { PlainStep } from '../config/flow-definition.ts'
import { needAccount } from '../flow/account.ts'
import { ask } from '../flow/questions.ts'
import type { StepHandler } from '../flow/view.ts'

/** The step that refuses users who may not sign in. It comes after authentication, so that only the user learns about it. */
export const checkAccountStatusStep: StepHandler<PlainStep> = {
  type: 'check_account_status',
  *enter(_step, view) {
    const { user } = yield* needAccount(view)
    const problem = statusProblem(user, view.now)
    if (problem === undefined) return {}
    const payload = { user_id: user.id, reason: problem.reason }
    yield* ask('event', { type: 'authentication.blocked', payload })
    throw problem
  },
}
