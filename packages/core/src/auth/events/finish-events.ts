import type { Identified } from '../accounts/account.ts'
import type { UserRecord } from '../accounts/user-record.ts'
import type { EnteredStep } from '../config/flow-definition.ts'
import { isPromoted } from '../flow/account.ts'
import type { FlowRun } from '../flow/run.ts'
import type { Fact, FlowSnapshot, LostRecords } from '../flow/state.ts'
import type { AuthEvent } from './auth-event.ts'
import { apiKeyPayload, eventAuthenticator, eventIdentity, eventUser } from './event-records.ts'
import { addedEvent, removedEvent, updatedEvent } from './identity-events.ts'
import { type EventPorts, flowEvent } from './outbox.ts'

/** The end of a flow, for its events. */
export interface FlowEnd {
  /** The user's current record. */
  readonly user: Identified<UserRecord>
  readonly lost: LostRecords
  /** The id is `null` if the host's own authorization server keeps the sessions. */
  readonly session: { readonly id: string | null; readonly amr: readonly string[] } | undefined
  readonly isSignup: boolean
  /** Whether the user has not signed in with this browser before (default false). */
  readonly isNewBrowser?: boolean
}

/** The event of a changed password. */
function changedEvent(
  { reason, authenticator_id: id }: Extract<Fact, { readonly kind: 'password_changed' }>,
  entered: readonly EnteredStep[],
): string {
  if (reason === 'recovery') return 'password.primary.reset'
  if (reason !== 'user') return 'password.primary.force_changed'
  const shown = entered.find((step) => step.authenticator_id === id)?.authentication
  return shown === 'secondary_password' ? 'password.secondary.changed' : 'password.primary.changed'
}

/** The events of a finished flow, in order. */
export function finishEvents(
  run: FlowRun<EventPorts>,
  { type: flowType, facts, entered }: FlowSnapshot,
  { user: record, lost, session, isSignup, isNewBrowser = false }: FlowEnd,
): readonly AuthEvent[] {
  const events: AuthEvent[] = []
  const user = eventUser(record)
  const add = (type: string, about: Readonly<Record<string, unknown>> = {}): void => {
    events.push(flowEvent(run, type, { user, ...about }, record.id))
  }
  const added = facts.flatMap((fact) => (fact.kind === 'identity_created' ? [fact.identity] : []))
  const identities = added.map(eventIdentity)
  const [replaced] = facts.flatMap((fact) =>
    fact.kind === 'identity_removed' ? [eventIdentity(fact.identity)] : [],
  )
  for (const identity of lost.identities) {
    const { user_id: id } = identity
    const about = { user: id === record.id ? user : { id }, identity: eventIdentity(identity) }
    events.push(flowEvent(run, removedEvent(identity), about, id))
  }
  for (const one of lost.authenticators) {
    add('authenticator.removed', { authenticator: eventAuthenticator(one) })
  }
  for (const key of lost.api_keys) add('api_key.revoked', apiKeyPayload(key.id, key))
  for (const app of lost.apps?.apps ?? []) add('oidc.app.revoked', { app: { ...app } })
  const isPromotion = facts.some(isPromoted)
  // What a user begins with is in the event of the user.
  const isNewcomer = isSignup || isPromotion
  if (isSignup) add('user.created', { identities })
  if (isPromotion) add('user.anonymous.promoted', { identities })
  for (const identity of isNewcomer ? [] : added) {
    const type = replaced === undefined ? undefined : updatedEvent(identity)
    const old = type === undefined ? {} : { old_identity: replaced }
    add(type ?? addedEvent(identity), { identity: eventIdentity(identity), ...old })
  }
  for (const fact of facts) {
    if (fact.kind === 'claim_verified' && fact.name !== 'preferred_username') {
      const type = fact.name === 'email' ? 'email' : 'phone'
      add(`identity.${type}.verified`, { [fact.name]: fact.value })
    }
    if (fact.kind === 'identity_updated') {
      const type = updatedEvent(fact.identity)
      if (type !== undefined) add(type, { identity: eventIdentity(fact.identity) })
    }
    if (fact.kind === 'password_changed') {
      add(changedEvent(fact, entered))
    }
    if (!isNewcomer && fact.kind === 'authenticator_created') {
      add('authenticator.added', { authenticator: eventAuthenticator(fact.authenticator) })
    }
    if (!isNewcomer && fact.kind === 'recovery_codes_created') {
      add('recovery_codes.created', { count: fact.hashes.length })
    }
    if (fact.kind === 'invitation_used') {
      add('invitation.accepted', { invitation: { id: fact.id, email: fact.email } })
    }
    if (fact.kind === 'deletion_withdrawn') add('user.deletion_unscheduled')
    if (fact.kind === 'profile_filled' && !isSignup) add('user.profile.updated')
  }
  if (session !== undefined && flowType !== 'account') {
    const type = flowType === 'reauth' ? 'user.reauthenticated' : 'user.authenticated'
    add(type, { session: { id: session.id, amr: session.amr } })
    if (isNewBrowser) add('user.new_sign_in', { session: { id: session.id } })
  }
  return events
}
