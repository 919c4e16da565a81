import type { LoadedAuthConfig } from '../config/config.ts'
import type { FlowDefinition, FlowType } from '../config/flow-definition.ts'
import { generateFlow } from './generate-flows.ts'

/**
 * The flow of a type and name: a declared one, else the generated `default`; `undefined` if there is none. Flows that change an
 * account are generated per account.
 */
export function findFlow(
  config: LoadedAuthConfig,
  type: FlowType,
  name: string,
): FlowDefinition | undefined {
  if (type === 'account') return undefined
  const declared = config.authentication_flow.flows.find(
    (flow) => flow.type === type && flow.name === name,
  )
  return declared ?? (name === 'default' ? generateFlow(config, type) : undefined)
}
