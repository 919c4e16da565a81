import type { HistoryPage } from '../../history/history-query.ts'
import { historyQueryFields } from '../../history/history-query.ts'
import { decodeInput, exactly } from '../../input/decode.ts'
import { activityTypes } from '../api/activity-types.ts'
import type { AuthContext } from '../context.ts'
import type { Session } from '../flow/session/session.ts'
import { type AuthEventQuery, listAuthEvents } from '../people/list-auth-events.ts'
import { sessionInput } from '../sessions/session-input.ts'
import { type Activity, activityOf } from './activity.ts'

/** A page of the activity: how many, and after which. */
export type ActivityQuery = Omit<AuthEventQuery, 'user_id' | 'type'>

const decodeQuery = exactly(historyQueryFields)

/**
 * Lists what happened to the account of a session's user, newest first, as far as the audit log has it.
 *
 * @throws {GatehouseError} `InvalidInput`; `InvalidHistoryQuery`
 */
export async function listActivity(
  auth: AuthContext,
  of: Session,
  query: ActivityQuery = {},
): Promise<HistoryPage<Activity>> {
  const { user_id } = decodeInput('session', sessionInput, of)
  const asked = decodeInput('query', decodeQuery, query)
  const page = await listAuthEvents(auth, { ...asked, user_id, type: activityTypes })
  return { ...page, items: page.items.map(activityOf) }
}
