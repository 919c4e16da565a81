import type { ClientConfig, FlowName, LoadedAuthConfig } from '../config/config.ts'
import type { DeclaredFlowType, FlowType } from '../config/flow-definition.ts'

/** The client with an id; `undefined` if it is not configured. */
export function findClient(
  { oauth }: LoadedAuthConfig,
  clientId: string | null,
): ClientConfig | undefined {
  return oauth.clients.find(({ client_id }) => client_id === clientId)
}

const flowTypes: readonly DeclaredFlowType[] = [
  'signup',
  'promote',
  'login',
  'signup_login',
  'reauth',
  'account_recovery',
]

/** The built-in group: the default flow of every type. */
const defaultGroup = {
  name: 'default',
  flows: flowTypes.map((type): FlowName => ({ type, name: 'default' })),
}

/** Whether a client may use a flow. A client without an allow-list may use all. */
export function isFlowAllowed(
  config: LoadedAuthConfig,
  clientId: string | null,
  type: FlowType,
  name: string,
): boolean {
  const allowed = findClient(config, clientId)?.x_authentication_flow_allowlist
  if (allowed === undefined) return true
  const groups = [...config.ui.authentication_flow.groups, defaultGroup]
  const inGroups = allowed.groups.flatMap((one) => {
    return groups.find((group) => group.name === one.name)?.flows ?? []
  })
  return [...allowed.flows, ...inGroups].some((flow) => flow.type === type && flow.name === name)
}
