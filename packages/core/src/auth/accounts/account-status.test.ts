import { describe, expect, it } from 'vitest'
import { blankUser } from '../flow/account.ts'
import { statusProblem } from './account-status.ts'
import type { UserRecord } from './user-record.ts'

const now = Date.parse('2026-03-04T10:00:00Z')
const problemOf = (more: Partial<UserRecord>) => {
  const problem = statusProblem({ ...blankUser('u1', now), ...more }, now)
  return problem && { kind: problem.kind, reason: problem.reason, info: problem.info }
}

describe('a user', () => {
  it('may sign in by default', () => {
    expect(problemOf({})).toBeUndefined()
  })

  it.each<[string, Partial<UserRecord>, string, object]>([
    ['who is disabled', { is_disabled: true }, 'DisabledUser', {}],
    [
      'who is disabled for a reason',
      { is_disabled: true, disable_reason: 'fraud review' },
      'DisabledUser',
      { reason: 'fraud review' },
    ],
    [
      'to be deleted by the host',
      { delete_at: now + 1_500, delete_by: 'admin' },
      'ScheduledDeletionByAdmin',
      { delete_at: '2026-03-04T10:00:01.500Z' },
    ],
    [
      'who asked for deletion',
      { delete_at: now, delete_by: 'user' },
      'ScheduledDeletionByEndUser',
      { delete_at: '2026-03-04T10:00:00.000Z' },
    ],
    ['who is anonymized', { is_anonymized: true }, 'AnonymizedUser', {}],
    [
      'to be anonymized',
      { anonymize_at: now },
      'ScheduledAnonymizationByAdmin',
      { anonymize_at: '2026-03-04T10:00:00.000Z' },
    ],
    [
      'before the account is valid',
      { account_valid_from: now + 1 },
      'UserOutsideValidPeriod',
      { account_valid_from: '2026-03-04T10:00:00.001Z' },
    ],
    [
      'after the account has expired',
      { account_valid_from: now - 2, account_valid_until: now },
      'UserOutsideValidPeriod',
      {
        account_valid_from: '2026-03-04T09:59:59.998Z',
        account_valid_until: '2026-03-04T10:00:00.000Z',
      },
    ],
  ])('%s may not sign in, and learns why', (_who, more, reason, info) => {
    expect(problemOf(more)).toEqual({ kind: 'Forbidden', reason, info })
  })

  it('may sign in from the first instant of the valid period to the last', () => {
    const time = { account_valid_from: now, account_valid_until: now + 1 }
    expect(problemOf(time)).toBeUndefined()
  })
})
