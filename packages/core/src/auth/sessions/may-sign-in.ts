import { decodeInput, recordId } from '../../input/decode.ts'
import { statusProblem } from '../accounts/account-status.ts'
import { userCollection } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'

/** Whether there is a user with this id who may sign in now: not disabled, deleted, anonymized or outside of the valid time. */
export async function maySignIn(auth: AuthContext, userId: string): Promise<boolean> {
  const user = await userCollection.get(auth.storage, decodeInput('userId', recordId, userId))
  return user !== undefined && statusProblem(user.value, auth.clock.now()) === undefined
}
