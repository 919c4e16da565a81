import type { Asking } from '../asking.ts'
import type { FlowKinds } from '../kinds.ts'
import { ask } from '../questions.ts'
import { addAmr, factorOf, sessionAmr, type UsedAuthenticator } from '../session/amr.ts'
import { amrTimes, type KnownSession } from '../session/session.ts'
import { usedAuthenticators } from '../session/used-authenticators.ts'
import type { FlowView } from '../view.ts'

/** The `amr` of the session if the flow ended now. */
export function* finalAmr(
  view: FlowView,
  kinds: Pick<FlowKinds, 'authenticators'>,
): Asking<readonly string[]> {
  const session = yield* continuedSession(view)
  const { state, now } = view
  const used = usedAuthenticators(state.facts, kinds)
  if (session === undefined) return sessionAmr(used)
  return Object.keys(addAmr(amrTimes(session), used, now, session.factors)).sort()
}

/**
 * Whether the flow has shown a second factor, possibly beside the account of an identity provider, whose own factor the session
 * does not know. An address that the session or the flow uses as the first factor is none.
 */
export function* hasSecondFactor(
  view: FlowView,
  kinds: Pick<FlowKinds, 'authenticators'>,
): Asking<boolean> {
  const used = usedAuthenticators(view.state.facts, kinds)
  const first = new Set(used.filter(({ kind }) => kind === 'primary').map(factorOf))
  const second = used.filter((one) => one.kind === 'secondary' && !first.has(factorOf(one)))
  if (second.length === 0 || second.some(({ target }) => target === undefined)) {
    return second.length > 0
  }
  const { factors = {}, amr = [] } = (yield* continuedSession(view)) ?? {}
  const wasFirst = (one: UsedAuthenticator): boolean =>
    Object.hasOwn(factors, factorOf(one)) && !amr.includes(`x_${one.authentication}`)
  return second.some((one) => !wasFirst(one))
}

/** The session that the flow goes on with. */
function* continuedSession({ state: { type, facts } }: FlowView): Asking<KnownSession | undefined> {
  const goesOn = type === 'reauth' || facts.some(({ kind }) => kind === 'session_used')
  return goesOn ? yield* ask('session', undefined) : undefined
}
