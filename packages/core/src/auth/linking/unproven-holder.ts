import type { Identified } from '../accounts/account.ts'
import type { ClaimName, IdentityRecord } from '../accounts/identity-record.ts'
import type { IncomingIdentity } from '../accounts/incoming-identity.ts'
import type { Step } from '../config/flow-definition.ts'
import type { Asking } from '../flow/asking.ts'
import { isUnproven } from '../flow/session/first-proof.ts'
import type { FlowView } from '../flow/view.ts'
import { ask } from '../limits/limit-questions.ts'

/** Whether another user has an identity as a login ID whose address is not proven. */
export function* isHeldUnproven(
  { user_id, ...identity }: Identified<IdentityRecord>,
  { config }: FlowView,
): Asking<boolean> {
  const account = yield* ask('account', { user_id })
  return account !== undefined && isUnproven({ user_id, ...identity }, account, config)
}

/** How a flow proves a claim of an identity that comes in: it comes proven, or by a code before anything else. */
export function proofOf(
  { names, verified }: IncomingIdentity,
  claim: ClaimName,
  { config }: FlowView,
): 'given' | 'by_code' | undefined {
  if (verified.includes(claim)) return 'given'
  if (names.IdentityTypeIncoming !== 'login_id' || claim === 'preferred_username') return undefined
  return config.verification.claims[claim].enabled ? 'by_code' : undefined
}

/** The step that proves the address of a new identity. */
export const proofStep = ({ id }: Identified<IdentityRecord>): Step => ({
  type: 'verify',
  target_step: '',
  identity_id: id,
})
