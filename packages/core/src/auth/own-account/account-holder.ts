import type { AuthContext } from '../context.ts'
import type { AuthEvent } from '../events/auth-event.ts'
import { flowEvent, hostEvent } from '../events/outbox.ts'
import type { Session } from '../flow/session/session.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { accountRun } from './account-run.ts'

/** The user whose account is changed, and who changes it: the user of a session, or the host if it is a user id. */
export type AccountHolder = Session | string

/** The id of the user. */
export const holderId = (holder: AccountHolder): string =>
  typeof holder === 'string' ? holder : holder.user_id

/** Creates the events of a change, with its originator and the request. `name` is the operation. */
export function accountEvents(
  auth: AuthContext,
  holder: AccountHolder,
  { name, ...context }: RequestContext & { readonly name: string },
): (type: string, about: AuthEvent['payload']) => AuthEvent {
  const userId = holderId(holder)
  const operator = typeof holder === 'string' ? undefined : holder.impersonated_by
  const run = typeof holder === 'string' ? undefined : accountRun(auth, holder, name, context)
  return (type, about) => {
    const acting = operator === undefined ? {} : { impersonator: { id: operator } }
    const payload = { user: { id: userId }, ...acting, ...about }
    return run === undefined
      ? hostEvent(auth, type, payload, userId)
      : flowEvent(run, type, payload, userId)
  }
}
