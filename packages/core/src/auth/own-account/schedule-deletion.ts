import { decodeInput, objectOf } from '../../input/decode.ts'
import type { Instant } from '../../time/clock.ts'
import { statusProblem } from '../accounts/account-status.ts'
import { deviceTokenCollection } from '../accounts/device-token-record.ts'
import { removalsOf } from '../accounts/owned-records.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { eventUser } from '../events/event-records.ts'
import type { Session } from '../flow/session/session.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { requestFields } from '../flows/operation-input.ts'
import { changeAccount } from '../people/change-account.ts'
import { sessionInput } from '../sessions/session-input.ts'
import { accountEvents } from './account-holder.ts'
import { freshFields } from './account-input.ts'
import { checkFresh, type FreshOptions } from './fresh.ts'

/** Options of {@link scheduleDeletion}. */
export interface DeletionOptions extends RequestContext, FreshOptions {}

const deletionOptions = objectOf<DeletionOptions>({ ...requestFields, ...freshFields })

const dayMs = 86_400_000

/**
 * Schedules the deletion of the account of a session's user, after the `grace_period_days` of the configuration. All sessions end
 * and no device is trusted any more. Until then, signing in offers to keep the account; then {@link startAuth} deletes it. Of two
 * concurrent calls both return the same instant. Returns when the account will be deleted.
 *
 * @throws {GatehouseError} `AccountDeletionDisabled`; `ReauthenticationRequired`; `UserNotFound`; `DisabledUser` and the like.
 * @see Authgear, `account_deletion.scheduled_by_end_user_enabled`
 */
export async function scheduleDeletion(
  auth: AuthContext,
  of: Session,
  how: DeletionOptions = {},
): Promise<Instant> {
  const session = decodeInput('session', sessionInput, of)
  const options = decodeInput('options', deletionOptions, how)
  const { account_deletion: rule } = auth.config.current
  if (!rule.scheduled_by_end_user_enabled) {
    throw authError('Forbidden', 'AccountDeletionDisabled', 'users cannot delete their accounts')
  }
  checkFresh(auth, session, options)
  const now = auth.clock.now()
  const eventOf = accountEvents(auth, session, { ...options, name: 'schedule_deletion' })
  const scheduled = await changeAccount(auth, session.user_id, async ({ user }) => {
    if (user.delete_at !== null && user.delete_by === 'user') {
      return { writes: [], answer: { delete_at: user.delete_at, ended: 0 } }
    }
    const problem = statusProblem(user, now)
    if (problem !== undefined) throw problem
    const delete_at = now + rule.grace_period_days * dayMs
    const changes = { delete_at, delete_by: 'user', updated_at: now } as const
    const sessions = await removalsOf(auth.storage, sessionCollection, user.id)
    return {
      writes: [...sessions, ...(await removalsOf(auth.storage, deviceTokenCollection, user.id))],
      user: changes,
      events: [eventOf('user.deletion_scheduled', { user: eventUser({ ...user, ...changes }) })],
      answer: { delete_at, ended: sessions.length },
    }
  })
  auth.counters.sessionsEnded(scheduled.ended)
  return scheduled.delete_at
}
