import { isGatehouseError } from '../../errors.ts'
import { retryOnConflict, type Version } from '../../storage/storage.ts'
import { loadToChange } from '../accounts/accounts.ts'
import { flowCollection } from '../collections.ts'
import type { SetCookie } from '../cookies.ts'
import { flowNotFound, userNotFound } from '../errors.ts'
import { finishEvents } from '../events/finish-events.ts'
import { outboxWrites } from '../events/outbox.ts'
import { askAboutProfile } from '../events/profile-hook.ts'
import { isUserUnknown, userIdOf } from '../flow/account.ts'
import { withFlowType } from '../flow/engine.ts'
import type { FlowRun } from '../flow/run.ts'
import { hasShown } from '../flow/session/amr.ts'
import { usedAuthenticators } from '../flow/session/used-authenticators.ts'
import type { Fact, FactWrites, FlowSnapshot } from '../flow/state.ts'
import { signupBuckets } from '../limits/buckets.ts'
import { clientNetwork } from '../limits/client-network.ts'
import { forgiveAddress } from '../limits/lockout.ts'
import { spendTokens } from '../limits/spend-tokens.ts'
import { endedSessions, type FinishedSession, finishSession } from '../sessions/finish-session.ts'
import { writesOfFacts } from './fact-writes.ts'

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
 * @param version of the flow's record; `undefined` if nobody has it yet but this request, and it is not stored.
 * @throws {GatehouseError} `AuthenticationFlowNotFound` if the flow is over; `InvariantViolated` if somebody else has
 *   taken an identity meanwhile; `SelectAccountSessionChanged`; `RateLimited`, `HookDisallowed`.
 */
export async function finishFlow(
  run: FlowRun,
  state: FlowSnapshot,
  version: Version | undefined,
): Promise<FinishedFlow> {
  try {
    return await finish(run, state, version)
  } catch (error) {
    if (!isGatehouseError(error) || !withFlowTypeAtEnd.has(error.reason)) throw error
    throw withFlowType(error, state.type)
  }
}

async function finish(
  run: FlowRun,
  state: FlowSnapshot,
  version: Version | undefined,
): Promise<FinishedFlow> {
  const { auth, request } = run
  const { facts } = state
  const userId = userIdOf(facts)
  // No secret of somebody who does not exist is ever right, so no flow of theirs comes to its end.
  if (userId === undefined || isUserUnknown(facts) || isTaken(facts)) throw userNotFound({})
  const isSignup = facts.some(({ kind }) => kind === 'user_created')
  if (isSignup) await spendTokens(run, signupBuckets(auth.config.current, request.ip))
  const write = (all: readonly Fact[]): Promise<FactWrites> => writesFor(run, all, userId, isSignup)
  const stored = await askAboutProfile(run, { userId, facts, write })
  const { finished: session, endedCount } = await retryOnConflict(async () => {
    const isOver = async (): Promise<boolean> =>
      version !== undefined &&
      (await flowCollection.get(auth.storage, state.flow_id))?.version !== version
    if (await isOver()) throw flowNotFound()
    const written = await write(stored).catch(async (error: unknown) => {
      // What a flow cannot come to any more, it may have come to.
      throw (await isOver()) ? flowNotFound() : error
    })
    // Read after the version of the user, which every login writes: of two at once the later one sees the session of the other.
    const finished = await finishSession(run, state, userId)
    const ended = await endedSessions(run, state, userId, finished)
    const events = finishEvents(run, state, { user: written.user, session: finished, isSignup })
    await auth.storage.commit([
      ...(version === undefined ? [] : [flowCollection.remove(state.flow_id, version)]),
      ...written.writes,
      ...(finished?.writes ?? []),
      ...ended,
      ...outboxWrites(auth, events),
    ])
    return { finished, endedCount: ended.length }
  })
  auth.counters.sessionsEnded(endedCount)
  if (session !== undefined && session.cookies.length > 0) auth.counters.sessionsOpened()
  // The flow has ended: what fails now must not keep its client from the session.
  await forgive(run, state, userId).catch((error: unknown) => {
    auth.logger.error({ error: String(error) }, 'failed attempts could not be forgiven')
  })
  return { cookies: session?.cookies ?? [], ...(await handBack(run, userId, session)) }
}

const isTaken = (facts: readonly Fact[]): boolean =>
  facts.some((fact) => fact.kind === 'identity_created' && fact.is_taken === true)

/**
 * What facts come to, for a user who is there already unless they sign up.
 *
 * @throws {GatehouseError} `UserNotFound`, and whatever `writesOfFacts` refuses with.
 */
export async function writesFor(
  run: FlowRun,
  facts: readonly Fact[],
  userId: string,
  isSignup: boolean = false,
): Promise<FactWrites> {
  if (isSignup) return writesOfFacts(run, facts, { userId, account: undefined, version: 'absent' })
  const stored = await loadToChange(run.auth.storage, userId)
  if (stored === undefined) throw userNotFound({})
  const { account, user } = stored
  return writesOfFacts(run, facts, { userId, account, version: user.version })
}

/**
 * Whoever has signed in is not held responsible for the failures of their address. Who got a new password has shown less: failures
 * stay, unless the host wants all of them forgotten.
 */
async function forgive(
  { auth, request }: FlowRun,
  { type, facts }: FlowSnapshot,
  userId: string,
): Promise<void> {
  const { authentication, forgot_password } = auth.config.current
  // Nobody gets more attempts by what they change of their account.
  if (type === 'account') return
  const isRecovery = type === 'account_recovery'
  if (!isRecovery && !hasShown(usedAuthenticators(facts, auth.kinds))) return
  if (authentication.lockout === undefined) return
  if (isRecovery && !forgot_password.reset_lockout) return
  await auth.queues.lockouts.decide(userId, (value, expiresAt) => {
    const left = isRecovery ? undefined : value
    const record = left && forgiveAddress(left, clientNetwork(request.ip), auth.clock.now())
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
  finished: FinishedSession | undefined,
): Promise<Pick<FinishedFlow, 'finish_redirect_uri'>> {
  const { authorization } = session
  if (authorization === null || auth.bridge === undefined) return {}
  const uri = await auth.bridge.finish(authorization, {
    user_id: userId,
    session_id: finished?.id ?? null,
    amr: finished?.amr ?? [],
    authenticated_at: finished?.authenticated_at ?? now,
  })
  return { finish_redirect_uri: uri }
}
