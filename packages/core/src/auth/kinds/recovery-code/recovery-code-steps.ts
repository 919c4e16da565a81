import type { Step } from '../../config/flow-definition.ts'
import type { FlowView } from '../../flow/view.ts'

/** A user who sets up a second factor gets recovery codes, once. */
export function recoveryCodeSteps({ state, config }: FlowView): readonly Step[] {
  const hasCodes = state.facts.some(({ kind }) => kind === 'recovery_codes_created')
  if (config.authentication.recovery_code.disabled || hasCodes) return []
  return [{ type: 'view_recovery_code' }]
}
