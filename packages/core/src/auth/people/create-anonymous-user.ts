import { decodeInput } from '../../input/decode.ts'
import type { Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { Identified } from '../accounts/account.ts'
import { identityKey } from '../accounts/identities.ts'
import type { AnonymousIdentity } from '../accounts/identity-record.ts'
import { identityCollection, identityKeyCollection } from '../accounts/identity-record.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import { userCollection } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import type { AuthEvent } from '../events/auth-event.ts'
import { eventIdentity, eventUser } from '../events/event-records.ts'
import { commitWithEvents, hostEvent } from '../events/outbox.ts'
import { blankUser } from '../flow/account.ts'
import { toSession } from '../flow/session/session.ts'
import type { RequestFacts } from '../flow/view.ts'
import { checkAnonymousAllowed } from '../flows/anonymous-allowed.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { requestContext } from '../flows/operation-input.ts'
import { requestFacts } from '../flows/request-facts.ts'
import { anonymousSignupBuckets } from '../limits/buckets.ts'
import { rateLimited, takeTokens } from '../limits/rate-limit.ts'
import { sessionCookies } from '../sessions/cookies.ts'
import type { OpenedSession } from '../sessions/create-session.ts'
import { findSession } from '../sessions/find-session.ts'
import { newSession } from '../sessions/new-session.ts'

/** An anonymous user, and their session. */
export interface AnonymousUser extends OpenedSession {
  readonly user_id: string
}

/**
 * Creates an anonymous user, with a session that replaces the one of the request. A flow `promote` can later promote the user.
 * The session's client is the `client_id` in the request's query.
 *
 * @throws {GatehouseError} `InvariantViolated` (`AnonymousUserDisallowed`) unless `authentication.identities` has `anonymous`;
 * `RateLimited` for too many from one address.
 */
export async function createAnonymousUser(
  auth: AuthContext,
  given: RequestContext = {},
): Promise<AnonymousUser> {
  const context = decodeInput('context', requestContext, given)
  const config = auth.config.current
  checkAnonymousAllowed(config)
  const request = requestFacts(auth, context)
  const taken = await takeTokens(auth, anonymousSignupBuckets(config, request.ip))
  if (!taken.ok) {
    auth.counters.limitHit(taken.use.bucket)
    throw rateLimited(taken.use, taken.waitMs)
  }
  const now = auth.clock.now()
  const { id: userId, ...user } = blankUser(auth.ids.random(), now)
  const identity = anonymousIdentity(auth, userId, now)
  const opened = newSession(auth, {
    userId,
    clientId: new URLSearchParams(context.query).get('client_id'),
    ip: request.ip,
    userAgent: request.user_agent,
    amrAt: {},
    isUserVerified: false,
    now,
  })
  const session = toSession(opened.id, opened.record, config)
  const eventOf = (type: string, about: AuthEvent['payload']): AuthEvent => {
    const payload = { user: eventUser({ ...user, id: userId }), ...about }
    return ofRequest(request, hostEvent(auth, type, payload, userId))
  }
  const events = [
    eventOf('user.created', { identities: [eventIdentity(identity)] }),
    eventOf('user.authenticated', { session: { id: session.id, amr: session.amr } }),
  ]
  await commitWithEvents(
    auth,
    [
      userCollection.write(userId, user, { if: 'absent' }),
      ...identityWrites(identity),
      opened.write,
      ...(await endedWrites(auth, request, now)),
    ],
    events,
  )
  auth.counters.sessionsOpened()
  const { token } = opened
  return { user_id: userId, session, token, cookies: sessionCookies(config, token) }
}

function anonymousIdentity(
  { ids }: AuthContext,
  userId: string,
  now: Instant,
): Identified<AnonymousIdentity> {
  const id = ids.random()
  return { id, type: 'anonymous', user_id: userId, created_at: now, unique_key: id }
}

function identityWrites({ id, ...identity }: Identified<AnonymousIdentity>): readonly Write[] {
  const owner = { user_id: identity.user_id, identity_id: id }
  return [
    identityKeyCollection.write(identityKey(identity), owner, { if: 'absent' }),
    identityCollection.write(id, identity, { if: 'absent' }),
  ]
}

/** The writes that end the browser's earlier session. */
async function endedWrites(
  auth: AuthContext,
  { session_token: token }: RequestFacts,
  now: Instant,
): Promise<readonly Write[]> {
  const session = token === null ? undefined : await findSession(auth, token, now)
  return session === undefined ? [] : [sessionCollection.remove(session.id)]
}

/** An event with the address and user agent of the request. */
function ofRequest({ ip, user_agent }: RequestFacts, event: AuthEvent): AuthEvent {
  const context = { ...event.context, triggered_by: 'user', ip_address: ip, user_agent } as const
  return { ...event, context }
}
