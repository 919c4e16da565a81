import type { PlainStep } from '../../config/flow-definition.ts'
import { needAccount } from '../../flow/account.ts'
import type { FlowNode } from '../../flow/state.ts'
import { isLinked } from '../../flow/suspended-sign-up.ts'
import type { NodeHandler, StepHandler } from '../../flow/view.ts'
import { createRecoveryCodes } from './recovery-code.ts'
import { ask } from './recovery-code-questions.ts'

interface RecoveryCodesNode extends FlowNode {
  readonly kind: 'view_recovery_code'
  readonly codes: readonly string[]
}

/** More than the codes of any configuration need. */
const randomBytes = 1_024

/** The step that shows new recovery codes, once. */
export const viewRecoveryCodeStep: StepHandler<PlainStep> = {
  type: 'view_recovery_code',
  *enter(_step, view) {
    const { recovery_codes: left } = yield* needAccount(view)
    const { disabled, count } = view.config.authentication.recovery_code
    // An existing user keeps their codes.
    const isThere = view.state.type === 'login' || isLinked(view.state)
    if (disabled || (isThere && left > 0)) return 'skip'
    const bytes = yield* ask('random', { size: randomBytes })
    let used = 0
    const codes = createRecoveryCodes(count, (size) => {
      used += size
      if (used > bytes.length)
        throw new RangeError('recovery codes needed more random bytes than were available')
      return bytes.subarray(used - size, used)
    })
    const node: RecoveryCodesNode = { kind: 'view_recovery_code', codes }
    return { node }
  },
}

/** The prompt of the step. */
export const viewRecoveryCodeNode: NodeHandler<RecoveryCodesNode> = {
  kind: 'view_recovery_code',
  class: 'other',
  *show({ codes }) {
    return { data: { type: 'view_recovery_code_data', recovery_codes: codes } }
  },
  schema: () => ({
    type: 'object',
    required: ['confirm_recovery_code'],
    properties: { confirm_recovery_code: { const: true } },
  }),
  *react({ codes }) {
    const hashes = yield* ask('hash_recovery_codes', { codes })
    return { facts: [{ kind: 'recovery_codes_created', hashes }] }
  },
}
