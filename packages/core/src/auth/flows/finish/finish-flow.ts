import { isGatehouseError } from '../../../errors.ts'
import { retryOnConflict, type Version, type Write } from '../../../storage/storage.ts'
import { loadToChange } from '../../accounts/accounts.ts'
import type { AuthRun } from '../../context.ts'
import { flowNotFound, noUserId, userNotFound } from '../../errors.ts'
import { finishEvents } from '../../events/finish-events.ts'
import { commitWithEvents } from '../../events/outbox.ts'
import { askAboutProfile } from '../../events/profile-hook.ts'
import { identifiedUserOf, isUserUnknown } from '../../flow/account.ts'
import { withFlowType } from '../../flow/engine.ts'
import { spendingWrites } from '../../flow/run.ts'
import { hasShown } from '../../flow/session/amr.ts'
import { usedAuthenticators } from '../../flow/session/used-authenticators.ts'
import type { Fact, FactWrites, FlowSnapshot } from '../../flow/state.ts'
import { flowCollection } from '../../flow-states/flow-record.ts'
import { recoveredBuckets, signupBuckets } from '../../limits/buckets.ts'
import { clientNetwork } from '../../limits/client-network.ts'
import { knownBrowser } from '../../limits/known-browser.ts'
import { forgiveAddress, lockOfBrowser } from '../../limits/lockout.ts'
import { giveBack } from '../../limits/rate-limit.ts'
import { spendTokens } from '../../limits/spend-tokens.ts'
import type { SetCookie } from '../../sessions/cookies.ts'
import {
  endedSessions,
  type FinishedSession,
  finishSession,
} from '../../sessions/finish-session.ts'
import { type SeenBrowser, seeBrowser } from '../../sessions/see-browser.ts'
import { writesOfFacts } from './fact-writes.ts'

/** The result of a finished flow for its client. */
export interface FinishedFlow {
  readonly cookies: readonly SetCookie[]
  /** The URI for the client, if the flow serves an authorization request. */
  readonly finish_redirect_uri?: string
}

/** What the end of a flow stores. */
interface Ending {
  readonly written: FactWrites
  readonly session: FinishedSession | undefined
  /** Removes sessions that end with the flow. */
  readonly ended: readonly Write[]
  readonly seen: SeenBrowser
  /** Spends the proofs of this request that can be used once. */
  readonly spends: readonly Write[]
}

/** Failures at the end that carry the type of the flow. */
const withFlowTypeAtEnd = new Set([
  'InvariantViolated',
  'PasswordPolicyViolated',
  'InvalidCredentials',
  'UserNotFound',
  'HookDisallowed',
])

/**
 * Ends a flow: stores everything it has established in one commit, which also removes the flow. Of two requests that end the same
 * flow, one succeeds.
 *
 * @param version of the flow's record; `undefined` if the flow is not stored and only this request knows it.
 * @throws {GatehouseError} `AuthenticationFlowNotFound` if the flow has ended; `InvariantViolated` if another user has taken an
 * identity meanwhile; `SelectAccountSessionChanged`; `RateLimited`, `HookDisallowed`.
 */
export async function finishFlow(
  run: AuthRun,
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
  run: AuthRun,
  state: FlowSnapshot,
  version: Version | undefined,
): Promise<FinishedFlow> {
  const { auth, request } = run
  const { facts } = state
  const userId = identifiedUserOf(facts)
  if (userId === undefined) throw noUserId()
  // No secret of an unknown user is ever right, so no such flow can end.
  if (isUserUnknown(facts) || isTaken(facts)) throw userNotFound({})
  // Read before the session of the browser is replaced.
  const places = await placesOf(run, userId)
  const isSignup = facts.some(({ kind }) => kind === 'user_created')
  if (isSignup) await spendTokens(run, signupBuckets(auth.config.current, request.ip))
  const write = (all: readonly Fact[]): Promise<FactWrites> => writesFor(run, all, userId, isSignup)
  const stored = await askAboutProfile(run, { userId, facts, write })
  const isOver = async (): Promise<boolean> =>
    version !== undefined &&
    (await flowCollection.get(auth.storage, state.flow_id))?.version !== version
  let attempts = 0
  const decide = async (): Promise<Ending> => {
    const written = await write(stored)
    // Read after the version of the user, which every login writes: of two concurrent logins the later one sees the other's
    // session.
    const session = await finishSession(run, state, userId)
    const isFirstProof = written.lost.ends_sessions
    const ended = await endedSessions(run, state, userId, { finished: session, isFirstProof })
    const seen = opensSession(session)
      ? await seeBrowser(run, userId)
      : { isNew: false, writes: [] }
    return { written, session, ended, seen, spends: await spendingWrites(run) }
  }
  const { session, ended, written } = await retryOnConflict(async () => {
    // The first attempt needs no look: it removes this version of the flow, so it fails if the flow is over.
    if (attempts++ > 0 && (await isOver())) throw flowNotFound()
    const ending = await decide().catch(async (error: unknown) => {
      // The failure may be the result of another request that ended the flow.
      throw (await isOver()) ? flowNotFound() : error
    })
    const { written, session, ended, seen, spends } = ending
    const end = { ...written, session, isSignup, isNewBrowser: seen.isNew }
    const events = finishEvents(run, state, end)
    await commitWithEvents(
      auth,
      [
        ...(version === undefined ? [] : [flowCollection.remove(state.flow_id, version)]),
        ...written.writes,
        ...(session?.writes ?? []),
        ...ended,
        ...seen.writes,
        ...spends,
      ],
      events,
    )
    return ending
  })
  auth.counters.sessionsEnded(ended.length)
  if (session !== undefined && session.cookies.length > 0) auth.counters.sessionsOpened()
  // The flow has ended. A failure from here on must not withhold the session from its client.
  await forgive(run, state, { userId, places }).catch((error: unknown) => {
    auth.logger.error({ error: String(error) }, 'cannot clear failed attempts')
  })
  await written.lost.apps?.clear().catch((error: unknown) => {
    auth.logger.error({ error: String(error) }, 'cannot remove the tokens of apps that have ended')
  })
  return { cookies: session?.cookies ?? [], ...(await handBack(run, userId, session)) }
}

/** Whether it is a new session, here or at the app's authorization server. */
const opensSession = (session: FinishedSession | undefined): boolean =>
  session !== undefined && (session.id === null || session.cookies.length > 0)

const isTaken = (facts: readonly Fact[]): boolean =>
  facts.some((fact) => fact.kind === 'identity_created' && fact.is_taken === true)

/**
 * The writes for facts. The user must exist, except in a sign-up.
 *
 * @throws {GatehouseError} `UserNotFound`, or an error of `writesOfFacts`.
 */
export async function writesFor(
  run: AuthRun,
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

/** The keys of the client's failed attempts. */
async function placesOf(run: AuthRun, userId: string): Promise<readonly string[]> {
  const network = clientNetwork(run.request.ip)
  if (run.auth.config.current.authentication.lockout === undefined) return [network]
  const browser = await knownBrowser(run, userId)
  return browser === undefined ? [network] : [network, lockOfBrowser(browser)]
}

/**
 * Clears the failed attempts of the client's address and browser after a login. A recovery proves less: it gives back what the
 * rate limits have counted, and clears the failed attempts of all addresses only if `reset_lockout` is set.
 */
async function forgive(
  run: AuthRun,
  { type, facts }: FlowSnapshot,
  { userId, places }: { readonly userId: string; readonly places: readonly string[] },
): Promise<void> {
  const { auth } = run
  const { authentication, forgot_password } = auth.config.current
  // Changing an account must not give further attempts.
  if (type === 'account') return
  const isRecovery = type === 'account_recovery'
  for (const fact of facts) {
    if (fact.kind !== 'recovery_otp_used') continue
    const { channel, target } = fact
    const by = { channel, target, userId, ip: run.request.ip }
    await giveBack(auth, recoveredBuckets(auth.config.current, by))
  }
  if (!isRecovery && !hasShown(usedAuthenticators(facts, auth.kinds))) return
  if (authentication.lockout === undefined) return
  if (isRecovery && !forgot_password.reset_lockout) return
  await auth.queues.lockouts.decide(userId, (value, expiresAt) => {
    const left = isRecovery ? undefined : value
    const forgiven = (record: typeof left, place: string): typeof left =>
      record && forgiveAddress(record, place, auth.clock.now())
    const record = places.reduce(forgiven, left)
    return {
      value: record,
      expiresAt: record === undefined ? undefined : expiresAt,
      answer: undefined,
    }
  })
}

/** Returns to the host's authorization server. */
async function handBack(
  { auth, session, now }: AuthRun,
  userId: string,
  finished: FinishedSession | undefined,
): Promise<Pick<FinishedFlow, 'finish_redirect_uri'>> {
  const { authorization } = session
  const bridge = auth.bridge.current
  if (authorization === null || bridge === undefined) return {}
  const uri = await bridge.finish(authorization, {
    user_id: userId,
    session_id: finished?.id ?? null,
    amr: finished?.amr ?? [],
    authenticated_at: finished?.authenticated_at ?? now,
  })
  return { finish_redirect_uri: uri }
}
