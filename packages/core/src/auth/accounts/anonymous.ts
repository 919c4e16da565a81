import type { GatehouseError } from '../../errors.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import { invariantViolated, userNotFound } from '../errors.ts'
import type { Fact } from '../flow/state.ts'
import type { IdentityRecord } from './records.ts'

/** Whether somebody has never said who they are. */
export function isAnonymous(identities: readonly Pick<IdentityRecord, 'type'>[]): boolean {
  return identities.length > 0 && identities.every(({ type }) => type === 'anonymous')
}

/** Whether a flow makes somebody known of somebody anonymous. */
export const isPromoted = (fact: Fact): boolean =>
  fact.kind === 'user_identified' && fact.is_promoted === true

/** @throws {GatehouseError} `InvariantViolated` (`AnonymousUserDisallowed`) unless somebody may be anonymous. */
export function checkAnonymousAllowed({ authentication }: LoadedAuthConfig): void {
  if (authentication.identities.includes('anonymous')) return
  throw invariantViolated('AnonymousUserDisallowed', 'anonymous users are not allowed')
}

/** There is nobody anonymous who could be promoted. */
export const noAnonymousUser = (): GatehouseError =>
  userNotFound({ IdentityTypeIncoming: 'anonymous' })
