import type { PlainStep } from '../config/flow-definition.ts'
import { needAccount } from '../flow/account.ts'
import { findClient } from '../flow/allow-list.ts'
import { ask } from '../flow/questions.ts'
import type { FlowNode } from '../flow/state.ts'
import type { NodeHandler, StepHandler } from '../flow/view.ts'

interface TerminateNode extends FlowNode {
  readonly kind: 'terminate_other_sessions'
}

/** The step in which the new session replaces another one of a client that allows only one. */
export const terminateOtherSessionsStep: StepHandler<PlainStep> = {
  type: 'terminate_other_sessions',
  *enter(_step, view) {
    const clientId = view.session.client_id
    if (findClient(view.config, clientId)?.x_max_concurrent_session !== 1) return 'skip'
    const { user } = yield* needAccount(view)
    const has = yield* ask('other_sessions', { user_id: user.id, client_id: clientId })
    // A session opened during this flow must end too, or there would be two.
    if (!has) return { facts: [{ kind: 'other_sessions_ended' }] }
    const node: TerminateNode = { kind: 'terminate_other_sessions' }
    return { node }
  },
}

/** The prompt of the step. */
export const terminateOtherSessionsNode: NodeHandler<TerminateNode> = {
  kind: 'terminate_other_sessions',
  class: 'other',
  *show() {
    return { data: {} }
  },
  schema: () => ({
    type: 'object',
    required: ['confirm_terminate_other_sessions'],
    properties: { confirm_terminate_other_sessions: { const: true } },
  }),
  *react() {
    return { facts: [{ kind: 'other_sessions_ended' }] }
  },
}
