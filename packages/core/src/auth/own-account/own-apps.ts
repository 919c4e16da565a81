import { decodeInput, rawText } from '../../input/decode.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import type { AuthContext } from '../context.ts'
import { authError } from '../errors.ts'
import { commitWithEvents } from '../events/outbox.ts'
import type { AuthorizedApp } from '../flow/session/authorization-bridge.ts'
import type { Session } from '../flow/session/session.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { requestContext } from '../flows/operation-input.ts'
import { requestFacts } from '../flows/request-facts.ts'
import { pageLanguage } from '../messages/words/languages.ts'
import { sessionInput } from '../sessions/session-input.ts'
import { type AccountHolder, accountEvents, holderId } from './account-holder.ts'
import { checkOwn } from './fresh.ts'

/**
 * Lists the apps that a session's user has let in at the authorization server, the last used first. Without a server there are
 * none. Words are in the language of `ui_locales` in the query, or of the browser.
 */
export async function listOwnApps(
  auth: AuthContext,
  of: Session,
  given: RequestContext = {},
): Promise<readonly AuthorizedApp[]> {
  const { user_id } = decodeInput('session', sessionInput, of)
  return appsOf(auth, user_id, decodeInput('context', requestContext, given))
}

/** The apps that a user has let in. */
export async function appsOf(
  auth: AuthContext,
  userId: string,
  context: RequestContext,
): Promise<readonly AuthorizedApp[]> {
  const { languages } = requestFacts(auth, context)
  const asked = new URLSearchParams(context.query).get('ui_locales') ?? ''
  const language = pageLanguage(
    [...asked.split(/[ ,]+/), ...languages],
    auth.config.current.localization,
  )
  return (await auth.bridge.current?.apps?.list(auth.storage, userId, language)) ?? []
}

/**
 * Takes back what a session's user has let an app do: its tokens end at once, and the user is asked again.
 *
 * @throws {GatehouseError} `AppNotFound`
 */
export async function revokeOwnApp(
  auth: AuthContext,
  of: Session,
  clientId: string,
  given: RequestContext = {},
): Promise<void> {
  const session = decodeInput('session', sessionInput, of)
  const id = decodeInput('clientId', rawText, clientId)
  const context = decodeInput('context', requestContext, given)
  checkOwn(session)
  await endApp(auth, session, id, context)
}

/**
 * Ends what an app may do for a user, with an event. Of two concurrent calls one does it.
 *
 * @throws {GatehouseError} `AppNotFound`
 */
export async function endApp(
  auth: AuthContext,
  holder: AccountHolder,
  clientId: string,
  context: RequestContext,
): Promise<void> {
  const eventOf = accountEvents(auth, holder, { ...context, name: 'revoke_app' })
  const { clear } = await retryOnConflict(async () => {
    const which = { client_id: clientId }
    const end = await auth.bridge.current?.apps?.end(auth.storage, holderId(holder), which)
    const [app] = end?.apps ?? []
    if (end === undefined || app === undefined) {
      throw authError('NotFound', 'AppNotFound', 'app not found')
    }
    await commitWithEvents(auth, end.writes, [eventOf('oidc.app.revoked', { app: { ...app } })])
    return end
  })
  await clear()
}
