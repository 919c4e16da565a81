import { decodeInput, rawText } from '../../input/decode.ts'
import type { AuthContext } from '../context.ts'
import type { AuthorizedApp } from '../flow/session/authorization-bridge.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { requestContext } from '../flows/operation-input.ts'
import { appsOf, endApp } from '../own-account/own-apps.ts'
import { getUser } from '../people/get-user.ts'

/**
 * Lists the apps that a user has let in at the authorization server, the last used first. Without a server there are none.
 *
 * @throws {GatehouseError} `UserNotFound`
 */
export async function listUserApps(
  auth: AuthContext,
  userId: string,
  given: RequestContext = {},
): Promise<readonly AuthorizedApp[]> {
  const context = decodeInput('context', requestContext, given)
  const { id } = await getUser(auth, userId)
  return appsOf(auth, id, context)
}

/**
 * Takes back what a user has let an app do, with an event: its tokens end at once, and the user is asked again.
 *
 * @throws {GatehouseError} `AppNotFound`
 */
export async function revokeUserApp(
  auth: AuthContext,
  userId: string,
  clientId: string,
): Promise<void> {
  const id = decodeInput('userId', rawText, userId)
  await endApp(auth, id, decodeInput('clientId', rawText, clientId), {})
}
