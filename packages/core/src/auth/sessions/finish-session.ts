import { sha256Hex } from '../../crypto/crypto.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import type { Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { statusProblem, withoutOwnDeletion } from '../accounts/account-status.ts'
import { maxOfAKind } from '../accounts/accounts.ts'
import type { SessionRecord } from '../accounts/session-record.ts'
import { sessionCollection } from '../accounts/session-record.ts'
import { userCollection } from '../accounts/user-record.ts'
import type { AuthRun } from '../context.ts'
import { noAuthenticator, sessionChanged } from '../errors.ts'
import { isPromoted } from '../flow/account.ts'
import { type AmrTimes, addAmr, addFactors, hasShown } from '../flow/session/amr.ts'
import { addOwn } from '../flow/session/own-records.ts'
import {
  amrTimes,
  leavesSessionsToBridge,
  sessionExpiry,
  sessionIdOf,
  sessionTokenOf,
} from '../flow/session/session.ts'
import { usedAuthenticators } from '../flow/session/used-authenticators.ts'
import type { Fact, FactOf, FlowSnapshot } from '../flow/state.ts'
import { type SetCookie, sessionCookies } from './cookies.ts'
import { findSession, findSessionById } from './find-session.ts'
import { newSession } from './new-session.ts'

/** The session that a flow ends with. */
export interface FinishedSession {
  /** `null` if the host's own authorization server keeps the sessions. */
  readonly id: string | null
  readonly amr: readonly string[]
  readonly authenticated_at: Instant
  readonly cookies: readonly SetCookie[]
  /** Open the session, or renew it. */
  readonly writes: readonly Write[]
}

/**
 * The session that a flow ends with: a new one, or, after `select_account`, in a `reauth` and in a change of one's own account,
 * the session of the request. `undefined` for an account recovery.
 *
 * @throws {GatehouseError} `SelectAccountSessionChanged` if the session of the request is not the one to go on;
 *   `InvariantViolated` (`NoAuthenticator`) for a `reauth` without authentication; `DisabledUser` and the like.
 */
export async function finishSession(
  run: AuthRun,
  { type, facts }: FlowSnapshot,
  userId: string,
): Promise<FinishedSession | undefined> {
  if (type === 'account_recovery') return undefined
  if (type === 'reauth' && !hasShown(usedIn(run, facts))) throw noAuthenticator()
  if (leavesSessionsToBridge(run.session)) return await leftToBridge(run, facts, userId)
  const used = facts.find((fact) => fact.kind === 'session_used')
  if (used === undefined && type !== 'reauth') return await opened(run, facts, userId)
  const record = await sessionThatGoesOn(run, used, userId)
  if (used !== undefined && used.session_id !== record.id) throw sessionChanged()
  return type === 'account' ? unchanged(facts, record) : goesOn(run, facts, record)
}

const usedIn = ({ auth }: AuthRun, facts: readonly Fact[]): ReturnType<typeof usedAuthenticators> =>
  usedAuthenticators(facts, auth.kinds)

/**
 * The flow may have read its user a while ago, so check the status again: a user who may no longer sign in gets no session and is
 * not reported to the bridge. A user created by this flow passes.
 */
async function checkStatus(
  { auth, now }: AuthRun,
  facts: readonly Fact[],
  userId: string,
): Promise<void> {
  if (facts.some(({ kind }) => kind === 'user_created')) return
  const user = await userCollection.get(auth.storage, userId)
  const isKept = facts.some(({ kind }) => kind === 'deletion_withdrawn')
  const after = user && (isKept ? withoutOwnDeletion(user.value, now) : user.value)
  const problem = after && statusProblem(after, now)
  if (problem !== undefined) throw problem
}

async function leftToBridge(
  run: AuthRun,
  facts: readonly Fact[],
  userId: string,
): Promise<FinishedSession> {
  await checkStatus(run, facts, userId)
  const amr = Object.keys(addAmr({}, usedIn(run, facts), run.now)).sort()
  return { id: null, amr, authenticated_at: run.now, cookies: [], writes: [] }
}

async function opened(
  run: AuthRun,
  facts: readonly Fact[],
  userId: string,
): Promise<FinishedSession> {
  await checkStatus(run, facts, userId)
  const { auth, request, session, now } = run
  const used = usedIn(run, facts)
  const { id, token, record, write } = newSession(auth, {
    userId,
    clientId: session.client_id,
    ip: request.ip,
    userAgent: request.user_agent,
    amrAt: addAmr({}, used, now),
    factors: addFactors({}, used, now),
    own: addOwn([], facts),
    isUserVerified: hasVerifiedUser(facts),
    now,
  })
  const cookies = sessionCookies(auth.config.current, token)
  return { id, amr: record.amr, authenticated_at: now, cookies, writes: [write] }
}

const hasVerifiedUser = (facts: readonly Fact[]): boolean =>
  facts.some((fact) => fact.kind === 'authentication_used' && fact.user_verified === true)

async function sessionThatGoesOn(
  run: AuthRun,
  used: FactOf<'session_used'> | undefined,
  userId: string,
): Promise<TypedRecord<SessionRecord>> {
  const token = sessionTokenOf(run)
  const record =
    used?.is_named === true
      ? await findSessionById(run.auth, used.session_id, run.now)
      : token && (await findSession(run.auth, token, run.now))
  const isOwn = record && record.value.impersonated_by === undefined
  if (!isOwn || record.value.user_id !== userId) throw sessionChanged()
  return record
}

/** Setting up an authenticator is not authentication: it does not raise the `amr` of a session. */
function unchanged(
  facts: readonly Fact[],
  { id, value, version, expiresAt }: TypedRecord<SessionRecord>,
): FinishedSession {
  const { amr, authenticated_at } = value
  const own = addOwn(value.own, facts)
  const expiry = expiresAt === undefined ? {} : { expiresAt }
  const write =
    value.own === undefined || own.length === value.own.length
      ? { collection: sessionCollection, id, check: version }
      : sessionCollection.write(id, { ...value, own }, { if: version, ...expiry })
  return { id, amr, authenticated_at, cookies: [], writes: [write] }
}

/** Earlier authentication of a session still counts; `authenticated_at` changes only if the flow authenticated the user. */
function goesOn(
  run: AuthRun,
  facts: readonly Fact[],
  { id, value, version }: TypedRecord<SessionRecord>,
): FinishedSession {
  const { auth, request, now } = run
  const used = usedIn(run, facts)
  const amrAt: AmrTimes = addAmr(amrTimes(value), used, now, value.factors)
  const renewed: SessionRecord = {
    ...value,
    authenticated_at: hasShown(used) ? now : value.authenticated_at,
    last_accessed_at: now,
    last_accessed_ip: request.ip,
    last_accessed_user_agent: request.user_agent,
    amr: Object.keys(amrAt).sort(),
    amr_at: amrAt,
    ...(hasVerifiedUser(facts) ? { user_verified: true } : {}),
    ...(value.factors === undefined ? {} : { factors: addFactors(value.factors, used, now) }),
    ...(value.own === undefined ? {} : { own: addOwn(value.own, facts) }),
  }
  const expiresAt = sessionExpiry(renewed, auth.config.current)
  const { amr, authenticated_at } = renewed
  const write = sessionCollection.write(id, renewed, { expiresAt, if: version })
  return { id, amr, authenticated_at, cookies: [], writes: [write] }
}

/** The end of a flow, for the sessions that end with it. */
export interface FlowEnding {
  readonly finished: FinishedSession | undefined
  /** Whether an address was proven for the first time, and others may have set up the account. */
  readonly isFirstProof: boolean
}

/**
 * The sessions that end with the flow: the browser's earlier one if it gets a new one, those of a user who is no longer
 * anonymous, and the user's others if the flow is to end them.
 */
export async function endedSessions(
  run: AuthRun,
  { facts }: FlowSnapshot,
  userId: string,
  { finished, isFirstProof }: FlowEnding,
): Promise<readonly Write[]> {
  const { auth, session } = run
  const config = auth.config.current
  const ended = new Set<string>()
  const hasNew = finished !== undefined && finished.cookies.length > 0
  const own = hasNew ? await ownSession(run) : undefined
  if (own !== undefined) ended.add(own)
  const reasons = facts.flatMap((fact) => (fact.kind === 'password_changed' ? [fact.reason] : []))
  const endsAll =
    isFirstProof ||
    facts.some(isPromoted) ||
    (reasons.includes('recovery') && config.forgot_password.revoke_sessions) ||
    (reasons.length > 0 &&
      !reasons.includes('recovery') &&
      config.session.revoke_on_password_change)
  const endsClient = facts.some(({ kind }) => kind === 'other_sessions_ended')
  if (endsAll || endsClient) {
    const query = { by: 'user_id', equals: userId, limit: maxOfAKind } as const
    for (const record of await sessionCollection.find(auth.storage, query)) {
      if (endsAll || record.value.client_id === session.client_id) ended.add(record.id)
    }
  }
  return [...ended].filter((id) => id !== finished?.id).map((id) => sessionCollection.remove(id))
}

/** Only the whole token ends a session, not the id alone. */
async function ownSession(run: AuthRun): Promise<string | undefined> {
  const token = sessionTokenOf(run)
  const id = token === null ? undefined : sessionIdOf(token)
  if (token === null || id === undefined) return undefined
  const record = await sessionCollection.get(run.auth.storage, id)
  return record?.value.token_hash === sha256Hex(token) ? id : undefined
}
