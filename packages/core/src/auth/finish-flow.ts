import type { Instant } from '../clock.ts'
import { sha256Hex } from '../crypto.ts'
import { isGatehouseError } from '../errors.ts'
import { retryOnConflict, type Version, type Write } from '../storage.ts'
import { isUserUnknown, userIdOf } from './account.ts'
import { loadAccount } from './accounts.ts'
import { sessionAmr, type UsedAuthenticator } from './amr.ts'
import { signupBuckets } from './buckets.ts'
import { flowCollection, sessionCollection } from './collections.ts'
import type { AuthContext } from './context.ts'
import { type SetCookie, sessionCookies } from './cookies.ts'
import { withFlowType } from './engine.ts'
import { flowNotFound, userNotFound } from './errors.ts'
import { type FactWrites, writesOfFacts } from './fact-writes.ts'
import { finishEvents } from './finish-events.ts'
import type { FlowRun } from './flow-run.ts'
import type { Fact, FlowSnapshot } from './flow-state.ts'
import { askHook } from './hooks.ts'
import { forgiveAddress } from './lockout.ts'
import { flowEvent, outboxWrites } from './outbox.ts'
import { spendTokens } from './rate-limit.ts'
import type { SessionRecord } from './records.ts'
import { sessionExpiry, sessionIdOf } from './session.ts'
import { createSessionToken } from './tokens.ts'

/** What a flow leaves behind with its client. */
export interface FinishedFlow {
  readonly cookies: readonly SetCookie[]
  /** Where the client goes, where the flow answers an authorization request. */
  readonly finish_redirect_uri?: string
}

/** Failures at the end that say in which type of flow they came up. */
const withFlowTypeAtEnd = new Set([
  'InvariantViolated',
  'PasswordPolicyViolated',
  'InvalidCredentials',
  'UserNotFound',
])

/**
 * Ends a flow: everything it has established is stored in one commit, which also ends the flow. Of two that would end the same flow
 * one does.
 *
 * @throws {GatehouseError} `AuthenticationFlowNotFound` if the flow is over; `InvariantViolated` if somebody else has
 *   taken an identity meanwhile; `RateLimited`, `HookDisallowed`.
 */
export async function finishFlow(
  run: FlowRun,
  state: FlowSnapshot,
  version: Version,
): Promise<FinishedFlow> {
  try {
    return await finish(run, state, version)
  } catch (error) {
    if (!isGatehouseError(error) || !withFlowTypeAtEnd.has(error.reason)) throw error
    throw withFlowType(error, state.type)
  }
}

async function finish(run: FlowRun, state: FlowSnapshot, version: Version): Promise<FinishedFlow> {
  const { auth, request } = run
  const { facts } = state
  const userId = userIdOf(facts)
  // No secret of somebody who does not exist is ever right, so no flow of theirs comes to its end.
  if (userId === undefined || isUserUnknown(facts) || isTaken(facts)) throw userNotFound({})
  const isSignup = facts.some(({ kind }) => kind === 'user_created')
  if (isSignup) await spendTokens(auth, signupBuckets(auth.config.current, request.ip))
  const opened = opensSession(state) ? openSession(run, userId, facts) : undefined
  const events = finishEvents(run, state, { userId, session: opened?.session, isSignup })
  const changesProfile = facts.some(({ kind }) => kind === 'profile_filled')
  const about = isSignup
    ? 'user.pre_create'
    : changesProfile
      ? 'user.profile.pre_update'
      : undefined
  if (about !== undefined) await askHook(auth, flowEvent(run, about, { user_id: userId }, userId))
  await retryOnConflict(async () => {
    const marker = await flowCollection.get(auth.storage, state.flow_id)
    if (marker?.version !== version) throw flowNotFound()
    const written = await writesFor(run, facts, userId, isSignup)
    await auth.storage.commit([
      flowCollection.remove(state.flow_id, version),
      ...written.writes,
      ...(opened?.writes ?? []),
      ...(await endedSessions(run, facts, userId, opened !== undefined)),
      ...outboxWrites(auth, events),
    ])
  })
  await forgive(run, state, userId)
  const cookies = opened === undefined ? [] : sessionCookies(auth.config.current, opened.token)
  return { cookies, ...(await handBack(run, userId, opened)) }
}

const isTaken = (facts: readonly Fact[]): boolean =>
  facts.some((fact) => fact.kind === 'identity_created' && fact.is_taken === true)

const opensSession = ({ type }: FlowSnapshot): boolean =>
  type === 'signup' || type === 'login' || type === 'promote'

async function writesFor(
  run: FlowRun,
  facts: readonly Fact[],
  userId: string,
  isSignup: boolean,
): Promise<FactWrites> {
  const account = isSignup ? undefined : await loadAccount(run.auth.storage, userId)
  if (!isSignup && account === undefined) throw userNotFound({})
  return writesOfFacts(run, facts, { userId, account })
}

interface OpenedSession {
  readonly token: string
  readonly session: { readonly id: string; readonly amr: readonly string[] }
  readonly authenticated_at: Instant
  readonly writes: readonly Write[]
}

/** The session that a flow ends with. */
function openSession(run: FlowRun, userId: string, facts: readonly Fact[]): OpenedSession {
  const { auth, request, session, now } = run
  const id = auth.ids.random()
  const token = createSessionToken(id, auth.random)
  const amr = sessionAmr(usedIn(facts, auth))
  const record: SessionRecord = {
    user_id: userId,
    client_id: session.client_id,
    token_hash: sha256Hex(token),
    created_at: now,
    authenticated_at: now,
    last_accessed_at: now,
    last_accessed_ip: request.ip,
    last_accessed_user_agent: request.user_agent,
    amr,
  }
  const expiresAt = sessionExpiry(record, auth.config.current)
  return {
    token,
    session: { id, amr },
    authenticated_at: now,
    writes: [sessionCollection.write(id, record, { expiresAt, if: 'absent' })],
  }
}

/** All that was shown in a flow; what was set up counts too. */
function usedIn(facts: readonly Fact[], { kinds }: AuthContext): readonly UsedAuthenticator[] {
  return facts.flatMap((fact) => {
    const named =
      fact.kind === 'authentication_used'
        ? { name: fact.authentication, id: fact.authenticator_id }
        : fact.kind === 'authenticator_created'
          ? {
              name: `${fact.authenticator.kind}_${fact.authenticator.type}`,
              id: fact.authenticator.id,
            }
          : undefined
    const kind = named && kinds.authenticators.get(named.name)
    if (named === undefined || kind === undefined) return []
    return [{ authentication: named.name, amr: kind.amr, kind: kind.kind, id: named.id }]
  })
}

/** The sessions that end with the flow: the one the browser had, and the others of the user if that was asked for. */
async function endedSessions(
  { auth, request, session }: FlowRun,
  facts: readonly Fact[],
  userId: string,
  isReplaced: boolean,
): Promise<readonly Write[]> {
  const config = auth.config.current
  const ended = new Set<string>()
  const own = request.session_token === null ? undefined : sessionIdOf(request.session_token)
  if (isReplaced && own !== undefined) {
    const record = await sessionCollection.get(auth.storage, own)
    // Whoever does not know the whole token ends nobody's session.
    if (record?.value.token_hash === sha256Hex(request.session_token ?? '')) ended.add(own)
  }
  const reasons = facts.flatMap((fact) => (fact.kind === 'password_changed' ? [fact.reason] : []))
  const endsAll =
    (reasons.includes('recovery') && config.forgot_password.revoke_sessions) ||
    (reasons.length > 0 &&
      !reasons.includes('recovery') &&
      config.session.revoke_on_password_change)
  const endsClient = facts.some(({ kind }) => kind === 'other_sessions_ended')
  if (endsAll || endsClient) {
    const query = { by: 'user_id', equals: userId, limit: 1_000 } as const
    for (const record of await sessionCollection.find(auth.storage, query)) {
      if (endsAll || record.value.client_id === session.client_id) ended.add(record.id)
    }
  }
  return [...ended].map((id) => sessionCollection.remove(id))
}

/**
 * Whoever has signed in is not held responsible for the failures of their address. Who got a new password has shown less: failures
 * stay, unless the host wants all of them forgotten.
 */
async function forgive(
  { auth, request }: FlowRun,
  { type }: FlowSnapshot,
  userId: string,
): Promise<void> {
  const { authentication, forgot_password } = auth.config.current
  const isRecovery = type === 'account_recovery'
  if (authentication.lockout === undefined) return
  if (isRecovery && !forgot_password.reset_lockout) return
  await auth.queues.lockouts.decide(userId, (value, expiresAt) => {
    const left = isRecovery ? undefined : value
    const record = left && forgiveAddress(left, request.ip, auth.clock.now())
    return {
      value: record,
      expiresAt: record === undefined ? undefined : expiresAt,
      answer: undefined,
    }
  })
}

/** Where the host's authorization server takes over. */
async function handBack(
  { auth, session, now }: FlowRun,
  userId: string,
  opened: OpenedSession | undefined,
): Promise<Pick<FinishedFlow, 'finish_redirect_uri'>> {
  const { authorization } = session
  if (authorization === null || auth.bridge === undefined) return {}
  const uri = await auth.bridge.finish(authorization, {
    user_id: userId,
    session_id: opened?.session.id ?? null,
    amr: opened?.session.amr ?? [],
    authenticated_at: opened?.authenticated_at ?? now,
  })
  return { finish_redirect_uri: uri }
}
