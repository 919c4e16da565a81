import type { EnteredStep } from '../config/flow-definition.ts'
import { stepNotFound } from '../errors.ts'
import type { FlowView } from './view.ts'

/**
 * The first entered step with this name.
 *
 * @throws {GatehouseError} `AuthenticationFlowStepNotFound`
 */
export function targetStep(view: FlowView, name: string): EnteredStep {
  const found = view.state.entered.find((step) => step.name === name)
  if (found === undefined) throw stepNotFound(name)
  return found
}

/** Whether a step with this name was entered. */
export function wasEntered({ state }: FlowView, name: string): boolean {
  return state.entered.some((step) => step.name === name)
}
