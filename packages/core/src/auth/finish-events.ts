import type { FlowRun } from './flow-run.ts'
import type { FlowSnapshot } from './flow-state.ts'
import { flowEvent } from './outbox.ts'
import type { AuthEvent } from './ports.ts'

/** How a flow ended, for its events. */
export interface FlowEnd {
  readonly userId: string
  readonly session: { readonly id: string; readonly amr: readonly string[] } | undefined
  readonly isSignup: boolean
}

/** What a flow that ends tells the host, in order. */
export function finishEvents(
  run: FlowRun,
  { facts }: FlowSnapshot,
  { userId, session, isSignup }: FlowEnd,
): readonly AuthEvent[] {
  const events: AuthEvent[] = []
  const tell = (type: string, payload: Readonly<Record<string, unknown>>): void => {
    events.push(flowEvent(run, type, payload, userId))
  }
  const identities = facts.flatMap((fact) =>
    fact.kind === 'identity_created' ? [fact.identity] : [],
  )
  if (isSignup) tell('user.created', { user: { id: userId }, identities })
  for (const identity of isSignup ? [] : identities) {
    tell(`identity.${identity.login_id_type}.added`, { user: { id: userId }, identity })
  }
  for (const fact of facts) {
    if (fact.kind === 'claim_verified' && fact.name !== 'preferred_username') {
      const type = fact.name === 'email' ? 'email' : 'phone'
      tell(`identity.${type}.verified`, { user: { id: userId }, [fact.name]: fact.value })
    }
    if (fact.kind === 'password_changed') {
      const type =
        fact.reason === 'recovery' ? 'password.primary.reset' : 'password.primary.force_changed'
      tell(type, { user: { id: userId } })
    }
  }
  if (session !== undefined) tell('user.authenticated', { user: { id: userId }, session })
  return events
}
