import type { FlowType } from '../config/flow-definition.ts'

/**
 * Whether whoever says who they are gets an identity by it: in a sign-up, a promotion, a change of their own account. In flows of the
 * other types they have it.
 */
export const bringsIdentities = (type: FlowType): boolean =>
  type === 'signup' || type === 'promote' || type === 'account'
