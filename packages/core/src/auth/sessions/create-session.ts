import { plainAddress } from '../../http/ip-address.ts'
import { anyText, decodeInput, exactly, listOf, optional, rawText } from '../../input/decode.ts'
import { invalidInput } from '../../input/refusal.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import { retryOnConflict, type Write } from '../../storage/storage.ts'
import { statusProblem } from '../accounts/account-status.ts'
import { maxOfAKind } from '../accounts/accounts.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import type { UserRecord } from '../accounts/user-record.ts'
import { userCollection } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import { authError, userNotFound } from '../errors.ts'
import { eventUser } from '../events/event-records.ts'
import { commitWithEvents, hostEvent } from '../events/outbox.ts'
import { findClient } from '../flow/allow-list.ts'
import { type Session, sessionIdOf, toSession } from '../flow/session/session.ts'
import { type SetCookie, sessionCookies } from './cookies.ts'
import { type NewSession, newSession } from './new-session.ts'

/** Options of {@link createSession}. */
export interface CreateSessionOptions {
  /**
   * The id of a session that is taken over from another system: at most 64 letters, digits, `-` and `_` (default: the id in the
   * token, or a new one).
   */
  readonly id?: string
  /** The id, `.`, and 32 to 256 letters, digits, `-` and `_` that cannot be guessed (default: a new one). */
  readonly token?: string
  /** The client the session is for (default: none). */
  readonly client_id?: string
  /** How the user was authenticated, such as `pwd` (default: unknown to the program). */
  readonly amr?: readonly string[]
  readonly ip?: string
  readonly userAgent?: string
}

const decodeOptions = exactly<CreateSessionOptions>({
  id: optional(rawText),
  token: optional(rawText),
  client_id: optional(anyText),
  amr: optional(listOf(anyText)),
  ip: optional(anyText),
  userAgent: optional(anyText),
})

/** A newly opened session. */
export interface OpenedSession {
  readonly session: Session
  readonly token: string
  /** The cookies that store the session in a browser. */
  readonly cookies: readonly SetCookie[]
}

/**
 * Opens a session without a flow, for a user whom the program has authenticated itself. Replaces the user's other sessions of the
 * client if it allows only one.
 *
 * @throws {GatehouseError} `InvalidInput`; `UserNotFound`; `DisabledUser` and the like; `SessionExists` if another session has
 *   the id.
 */
export async function createSession(
  auth: AuthContext,
  user: string,
  given: CreateSessionOptions = {},
): Promise<OpenedSession> {
  const userId = decodeInput('user', rawText, user)
  const options = decodeInput('options', decodeOptions, given)
  const opened = sessionOf(auth, userId, options)
  const { id, token, record } = opened
  const config = auth.config.current
  const session = toSession(id, record, config)
  return retryOnConflict(async () => {
    const found = await signedInUser(auth, userId)
    if ((await sessionCollection.get(auth.storage, id)) !== undefined) {
      throw authError('AlreadyExists', 'SessionExists', 'another session has this id')
    }
    const user = eventUser({ ...found.value, id: userId })
    const about = { user, session: { id, amr: session.amr } }
    const event = hostEvent(auth, 'user.authenticated', about, userId)
    await commitWithEvents(
      auth,
      [...(await placeWrites(auth, found, opened)), opened.write],
      [event],
    )
    auth.counters.sessionsOpened()
    return { session, token, cookies: sessionCookies(config, token) }
  })
}

async function signedInUser(
  { storage, clock }: AuthContext,
  userId: string,
): Promise<TypedRecord<UserRecord>> {
  const user = await userCollection.get(storage, userId)
  if (user === undefined) throw userNotFound({})
  const problem = statusProblem(user.value, clock.now())
  if (problem !== undefined) throw problem
  return user
}

const idPattern = /^[\w-]{1,64}$/
const tokenPattern = /^[\w-]{1,64}\.[\w-]{32,256}$/

/** @throws {GatehouseError} `InvalidInput` if the id or the token is malformed. */
function sessionOf(
  auth: AuthContext,
  userId: string,
  { token, id = token && sessionIdOf(token), ...given }: CreateSessionOptions,
): NewSession {
  if (id !== undefined && !idPattern.test(id)) {
    throw invalidInput('options.id', 'at most 64 letters, digits, - and _', 'another text')
  }
  if (token !== undefined && !(tokenPattern.test(token) && token.startsWith(`${id}.`))) {
    const expected = 'the id, a dot, and 32 to 256 letters, digits, - and _'
    throw invalidInput('options.token', expected, 'another text')
  }
  const now = auth.clock.now()
  return newSession(auth, {
    userId,
    clientId: given.client_id ?? null,
    ip: given.ip === undefined ? null : plainAddress(given.ip),
    userAgent: given.userAgent ?? null,
    amrAt: Object.fromEntries((given.amr ?? []).map((reference) => [reference, now])),
    isUserVerified: false,
    now,
    ...(id === undefined ? {} : { id }),
    ...(token === undefined ? {} : { token }),
  })
}

/**
 * Removes the other sessions of a client that allows one. Writing the user's version makes one of two concurrent calls fail with
 * a conflict.
 */
async function placeWrites(
  { config, storage }: AuthContext,
  { id: userId, value, version }: TypedRecord<UserRecord>,
  { record }: NewSession,
): Promise<readonly Write[]> {
  const client = findClient(config.current, record.client_id)
  if (client?.x_max_concurrent_session !== 1) {
    return [{ collection: userCollection, id: userId, check: version }]
  }
  const query = { by: 'user_id', equals: userId, limit: maxOfAKind } as const
  const others = (await sessionCollection.find(storage, query)).filter(
    (one) => one.value.client_id === record.client_id,
  )
  return [
    userCollection.write(userId, value, { if: version }),
    ...others.map((one) => sessionCollection.remove(one.id)),
  ]
}
