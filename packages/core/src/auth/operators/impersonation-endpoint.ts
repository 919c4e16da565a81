import { type Action, actions } from '../../authorization/action.ts'
import { type Caller, nameOf, type Subject } from '../../authorization/authorize.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { decodeImpersonation } from '../http/decode-body.ts'
import { jsonAnswer } from '../http/error-response.ts'
import { requestContext } from '../http/request-context.ts'
import { getUser, type UserDetails } from '../people/get-user.ts'
import { impersonateUser } from './impersonate-user.ts'
import type { UserEndpoint } from './user-endpoints.ts'
import { toWire, withWireKeys } from './wire-keys.ts'

/** Whom a user is for `authorize`, once signed in; `undefined` for one who is nobody there. */
export type SubjectOf = (user: UserDetails) => Subject | undefined | Promise<Subject | undefined>

/** Lets operators act as users who may do no more than they. */
export const impersonationEndpoint = (subjectOf: SubjectOf): UserEndpoint => ({
  action: 'users:impersonate',
  maxBytes: 65_536,
  async answer(auth, { id, body, exchange: { request, info } }) {
    const { reason } = await decodeImpersonation(body)
    const operator = nameOf(info)
    if (operator === undefined)
      throw impersonationForbidden('an operator without a name acts as nobody')
    await checkRights(auth, info, await subjectOf(await getUser(auth, id)))
    const { ip, userAgent } = requestContext(request, info)
    try {
      const { session, cookies } = await impersonateUser(auth, id, {
        operator,
        reason,
        ...(ip === undefined ? {} : { ip }),
        ...(userAgent === undefined ? {} : { userAgent }),
      })
      const answer = {
        session_id: session.id,
        expires_at: new Date(session.expires_at).toISOString(),
      }
      return { ...jsonAnswer(200, toWire(answer) as object), cookies }
    } catch (error) {
      throw withWireKeys(error, 'impersonation')
    }
  },
})

/** An operator may not do this by acting as a user. */
export const impersonationForbidden = (
  message: string,
  info: { readonly action?: Action } = {},
): Error => authError('Forbidden', 'ImpersonationForbidden', message, info)

/** @throws {GatehouseError} `ImpersonationForbidden` if the user may do something that the operator may not. */
async function checkRights(
  { access }: AuthContext,
  operator: Caller,
  target: Subject | undefined,
): Promise<void> {
  if (access === undefined || target === undefined) return
  for (const action of Object.keys(actions) as Action[]) {
    const isTheirs = await access.allows({ subject: target }, action)
    if (isTheirs && !(await access.allows(operator, action))) {
      throw impersonationForbidden(`the user may do something that you may not: ${action}`, {
        action,
      })
    }
  }
}
