import type { GatehouseError } from '../../errors.ts'
import { userNotFound } from '../errors.ts'
import type { IdentityRecord } from './records.ts'

/** Whether somebody has never said who they are. */
export function isAnonymous(identities: readonly Pick<IdentityRecord, 'type'>[]): boolean {
  return identities.length > 0 && identities.every(({ type }) => type === 'anonymous')
}

/** There is nobody anonymous who could be promoted. */
export const noAnonymousUser = (): GatehouseError =>
  userNotFound({ IdentityTypeIncoming: 'anonymous' })
