import type { Asking } from '../asking.ts'
import type { FlowKinds } from '../kinds.ts'
import { ask } from '../questions.ts'
import { addAmr, sessionAmr } from '../session/amr.ts'
import { amrTimes } from '../session/session.ts'
import { usedAuthenticators } from '../session/used-authenticators.ts'
import type { FlowView } from '../view.ts'

/** The `amr` of the session if the flow ended now. */
export function* finalAmr(
  { state: { type, facts }, now }: FlowView,
  kinds: Pick<FlowKinds, 'authenticators'>,
): Asking<readonly string[]> {
  const used = usedAuthenticators(facts, kinds)
  const goesOn = type === 'reauth' || facts.some(({ kind }) => kind === 'session_used')
  const session = goesOn ? yield* ask('session', undefined) : undefined
  if (session === undefined) return sessionAmr(used)
  return Object.keys(addAmr(amrTimes(session), used, now)).sort()
}
