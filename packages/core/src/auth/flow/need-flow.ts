import type { FlowDefinition, FlowType } from '../config/flow-definition.ts'
import { authError } from '../errors.ts'
import type { FlowView } from './view.ts'

/**
 * Finds the flow that another one continues as.
 *
 * @throws {GatehouseError} `AuthenticationFlowFlowNotFound`
 */
export function needFlow(view: FlowView, type: FlowType, name: string): FlowDefinition {
  const flow = view.flow(type, name)
  if (flow !== undefined) return flow
  throw authError(
    'NotFound',
    'AuthenticationFlowFlowNotFound',
    `there is no ${type} flow "${name}"`,
  )
}
