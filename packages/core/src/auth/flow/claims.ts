import type { Identified } from '../accounts/account.ts'
import type { ClaimName, IdentityRecord } from '../accounts/identity-record.ts'
import type { IncomingIdentity } from '../accounts/incoming-identity.ts'
import type { Asking } from './asking.ts'
import { ask } from './questions.ts'

/** The claims that identities are matched by. */
export const claimNames: readonly ClaimName[] = ['email', 'phone_number', 'preferred_username']

/** The identities that assert one of these claims, except those of one user. */
export function* identitiesOfClaims(
  claims: IncomingIdentity['claims'],
  exceptOf?: string,
): Asking<readonly Identified<IdentityRecord>[]> {
  const found: Identified<IdentityRecord>[] = []
  for (const name of claimNames) {
    const value = claims[name]
    if (value !== undefined) found.push(...(yield* ask('claim', { name, value })))
  }
  const others = found.filter(({ user_id }) => user_id !== exceptOf)
  return others.filter(({ id }, index) => others.findIndex((one) => one.id === id) === index)
}
