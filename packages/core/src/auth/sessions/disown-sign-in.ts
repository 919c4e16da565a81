import { retryOnConflict } from '../../storage/storage.ts'
import { maxOfAKind } from '../accounts/accounts.ts'
import { apiKeyCollection, findApiKeys } from '../accounts/api-key-record.ts'
import { deviceTokenCollection } from '../accounts/device-token-record.ts'
import { knownBrowsersCollection } from '../accounts/known-browsers-record.ts'
import { removalsOf } from '../accounts/owned-records.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import { userCollection } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import type { AuthEvent } from '../events/auth-event.ts'
import { apiKeyPayload } from '../events/event-records.ts'
import { commitWithEvents, hostEvent } from '../events/outbox.ts'
import type { DoubtedSignIn } from './not-me-code.ts'

/**
 * Ends every session that began with a sign-in which its user did not make, or after it: who signed in once may have signed in
 * again, which replaces the session. API keys made since end, too, and apps let in or used since: a session can leave both behind. No
 * browser is known or trusted any more, so the user is told of the next sign-in from any of them.
 */
export async function disownSignIn(
  auth: AuthContext,
  { user_id: userId, at }: DoubtedSignIn,
): Promise<void> {
  const query = { by: 'user_id', equals: userId, limit: maxOfAKind } as const
  const apps = await retryOnConflict(async () => {
    const user = await userCollection.get(auth.storage, userId)
    const found = await sessionCollection.find(auth.storage, query)
    const ended = found.filter(({ value }) => value.created_at >= at)
    const keys = await findApiKeys(auth.storage, { user_id: userId })
    const left = keys.filter(({ value }) => value.created_at >= at)
    const known = await knownBrowsersCollection.get(auth.storage, userId)
    const apps = await auth.bridge.current?.apps?.end(auth.storage, userId, { since: at })
    const writes = [
      // Those who add a key or an app at this moment write the user.
      ...(user === undefined
        ? []
        : [{ collection: userCollection, id: userId, check: user.version } as const]),
      ...ended.map(({ id, version }) => sessionCollection.remove(id, version)),
      ...left.map(({ id, version }) => apiKeyCollection.remove(id, version)),
      ...(known === undefined
        ? []
        : [knownBrowsersCollection.write(userId, { browsers: [] }, { if: known.version })]),
      ...(await removalsOf(auth.storage, deviceTokenCollection, userId)),
      ...(apps?.writes ?? []),
    ]
    const sessions = ended.map(({ id }) => ({ id }))
    const about = { user: { id: userId }, sessions, termination_type: 'individual' }
    const eventOf = (type: string, payload: AuthEvent['payload']): AuthEvent =>
      hostEvent(auth, type, payload, userId, 'system')
    await commitWithEvents(auth, writes, [
      ...(sessions.length === 0 ? [] : [eventOf('user.session.terminated', about)]),
      ...left.map(({ id, value }) => eventOf('api_key.revoked', apiKeyPayload(id, value))),
      ...(apps?.apps ?? []).map((app) =>
        eventOf('oidc.app.revoked', { user: { id: userId }, app: { ...app } }),
      ),
    ])
    auth.counters.sessionsEnded(sessions.length)
    return apps
  })
  await apps?.clear()
}
