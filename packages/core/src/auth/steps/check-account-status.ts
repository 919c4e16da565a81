import { statusProblem, withoutOwnDeletion } from '../accounts/account-status.ts'
import type { PlainStep } from '../config/flow-definition.ts'
import { needAccount } from '../flow/account.ts'
import { ask } from '../flow/questions.ts'
import type { FlowNode } from '../flow/state.ts'
import type { NodeHandler, StepHandler } from '../flow/view.ts'

interface KeepNode extends FlowNode {
  readonly kind: 'check_account_status'
  readonly delete_at: string
}

/**
 * The step that refuses users who may not sign in. It comes after authentication, so that only the user learns about it. Users who
 * asked for the deletion of their account may keep it until it is due, where the configuration lets them ask for it.
 */
export const checkAccountStatusStep: StepHandler<PlainStep> = {
  type: 'check_account_status',
  *enter(_step, view) {
    const { user } = yield* needAccount(view)
    const problem = statusProblem(user, view.now)
    if (problem === undefined) return {}
    const mayKeep = view.config.account_deletion.scheduled_by_end_user_enabled
    const isKept = statusProblem(withoutOwnDeletion(user, view.now), view.now) === undefined
    if (mayKeep && isKept && user.delete_at !== null) {
      const delete_at = new Date(user.delete_at).toISOString()
      const node: KeepNode = { kind: 'check_account_status', delete_at }
      return { node }
    }
    const payload = { user_id: user.id, reason: problem.reason }
    yield* ask('event', { type: 'authentication.blocked', payload })
    throw problem
  },
}

/** The prompt for users whose account will be deleted, because they asked for it. */
export const checkAccountStatusNode: NodeHandler<KeepNode> = {
  kind: 'check_account_status',
  class: 'other',
  *show({ delete_at }) {
    return { data: { reason: 'ScheduledDeletionByEndUser', delete_at } }
  },
  schema: () => ({
    type: 'object',
    required: ['keep_account'],
    properties: { keep_account: { const: true } },
  }),
  *react() {
    return { facts: [{ kind: 'deletion_withdrawn' }] }
  },
}
