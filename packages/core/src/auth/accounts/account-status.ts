import type { GatehouseError } from '../../errors.ts'
import type { Instant } from '../../time/clock.ts'
import { authError } from '../errors.ts'
import type { UserRecord } from './user-record.ts'

const instant = (at: Instant): string => new Date(at).toISOString()

/**
 * The user without the deletion that the user asked for; the same user if there is none, or its time has come. Another reason why
 * the user may not sign in stays.
 */
export function withoutOwnDeletion<User extends UserRecord>(user: User, now: Instant): User {
  const { delete_at: at, delete_by: by } = user
  if (at === null || by !== 'user' || now >= at) return user
  return { ...user, delete_at: null, delete_by: null }
}

/** The reason why a user may not sign in now; `undefined` if the user may. @see Authgear, account status */
export function statusProblem(user: UserRecord, now: Instant): GatehouseError | undefined {
  if (user.is_anonymized) return authError('Forbidden', 'AnonymizedUser', 'user is anonymized')
  if (user.delete_at !== null) {
    const reason =
      user.delete_by === 'user' ? 'ScheduledDeletionByEndUser' : 'ScheduledDeletionByAdmin'
    return authError('Forbidden', reason, 'user was scheduled for deletion', {
      delete_at: instant(user.delete_at),
    })
  }
  if (user.anonymize_at !== null) {
    return authError(
      'Forbidden',
      'ScheduledAnonymizationByAdmin',
      'user was scheduled for anonymization',
      {
        anonymize_at: instant(user.anonymize_at),
      },
    )
  }
  if (user.is_disabled) {
    const info = user.disable_reason === null ? {} : { reason: user.disable_reason }
    return authError('Forbidden', 'DisabledUser', 'user is disabled', info)
  }
  const { account_valid_from: from, account_valid_until: until } = user
  if ((from !== null && now < from) || (until !== null && now >= until)) {
    return authError('Forbidden', 'UserOutsideValidPeriod', 'user is outside valid period', {
      ...(from === null ? {} : { account_valid_from: instant(from) }),
      ...(until === null ? {} : { account_valid_until: instant(until) }),
    })
  }
  return undefined
}
