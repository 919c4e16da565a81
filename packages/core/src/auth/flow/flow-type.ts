import type { FlowType } from '../config/flow-definition.ts'

/**
 * Whether an identification adds an identity to the user: in sign-ups, promotions and changes of the own account. In other flows
 * the user has it already.
 */
export const bringsIdentities = (type: FlowType): boolean =>
  type === 'signup' || type === 'promote' || type === 'account'
