import type { GatehouseError } from '../../errors.ts'
import { userNotFound } from '../errors.ts'
import type { IdentityRecord } from './identity-record.ts'

/** Whether a user has only anonymous identities. */
export function isAnonymous(identities: readonly Pick<IdentityRecord, 'type'>[]): boolean {
  return identities.length > 0 && identities.every(({ type }) => type === 'anonymous')
}

/** The error of a promotion without an anonymous user. */
export const noAnonymousUser = (): GatehouseError =>
  userNotFound({ IdentityTypeIncoming: 'anonymous' })
