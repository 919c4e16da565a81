import type { Json } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { Identified } from '../accounts/account.ts'
import type { UserRecord } from '../accounts/user-record.ts'
import type { Invitation } from '../invitations/invitation.ts'
import { authenticatorData, identityData, sessionData } from '../own-account/account-data.ts'
import type { ImportOutcome } from '../people/import-users.ts'
import type { AuditedEvent } from '../people/list-auth-events.ts'
import type { UserAccount } from './get-user-account.ts'

type Data = { readonly [name: string]: Json }

const textOf = (at: Instant): string => new Date(at).toISOString()
const textOrNull = (at: Instant | null): string | null => (at === null ? null : textOf(at))

/** The wire form of a user: instants in RFC 3339. */
export const userData = (user: Identified<UserRecord>): Data => ({
  id: user.id,
  created_at: textOf(user.created_at),
  updated_at: textOf(user.updated_at),
  last_login_at: textOrNull(user.last_login_at),
  is_disabled: user.is_disabled,
  disable_reason: user.disable_reason,
  delete_at: textOrNull(user.delete_at),
  is_anonymized: user.is_anonymized,
  anonymize_at: textOrNull(user.anonymize_at),
  account_valid_from: textOrNull(user.account_valid_from),
  account_valid_until: textOrNull(user.account_valid_until),
  standard_attributes: user.standard_attributes,
  custom_attributes: user.custom_attributes,
})

/** The wire form of an account. */
export function userAccountData(account: UserAccount): Data {
  const { user, identities, authenticators, sessions, lockout, ...rest } = account
  return {
    user: userData(user),
    ...rest,
    identities: identities.map(identityData),
    authenticators: authenticators.map(authenticatorData),
    sessions: sessions.map(sessionData),
    lockout: {
      ...lockout,
      locked_until: textOrNull(lockout.locked_until),
      addresses: lockout.addresses.map(({ ip, locked_until }) => ({
        ip,
        locked_until: textOf(locked_until),
      })),
    },
  }
}

/** The wire form of an invitation. */
export const invitationData = (invitation: Invitation): Data => ({
  ...invitation,
  created_at: textOf(invitation.created_at),
  expires_at: textOf(invitation.expires_at),
  sent_at: textOrNull(invitation.sent_at),
})

/** The wire form of an event of the audit log. */
export const auditedEventData = ({ at, ...event }: AuditedEvent): Data => ({
  ...event,
  at: textOf(at),
})

/** The wire form of the outcome of an imported record. */
export function importOutcomeData(result: ImportOutcome): Data {
  if (result.outcome === 'inserted') return { ...result }
  const { reason, message, info } = result.error
  return { outcome: 'failed', error: { reason, message, info: info as Data } }
}
