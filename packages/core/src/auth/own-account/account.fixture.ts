import type { AuthEvent } from '../events/auth-event.ts'
import { outboxCollection } from '../events/outbox.ts'
import type { Session } from '../flow/session/session.ts'
import type { FlowInput } from '../flow/view.ts'
import { advanceFlow } from '../flows/advance-flow.ts'
import type { FlowResult, RequestContext } from '../flows/flow-result.ts'
import { createUser, type NewUser } from '../people/create-user.ts'
import { getUser, type UserDetails } from '../people/get-user.ts'
import { stateOf, type TestAuth, type TestFlow } from '../service.fixture.ts'
import { createSession } from '../sessions/create-session.ts'
import type { AccountFlowChange } from './account-change.ts'
import { type AccountFlowRequest, beginAccountFlow } from './begin-account-flow.ts'

export const maya = {
  email: 'maya@harborlight.example',
  email_verified: true,
  password: 'tidal-lantern-42',
} as const

export const tom = {
  email: 'tom@harborlight.example',
  email_verified: true,
  password: 'quiet-harbour-17',
} as const

/** A signed-in user. */
export interface Person {
  readonly id: string
  readonly session: Session
  /** The request of the user's browser. */
  readonly request: RequestContext & { readonly cookie: string }
  /** Begins a change of the user's account. @throws {Error} if it is refused. */
  begin(change: AccountFlowChange, request?: AccountFlowRequest): Promise<TestFlow>
  /** Like `begin`, but returns a refusal. */
  tryTo(change: AccountFlowChange, request?: AccountFlowRequest): Promise<FlowResult>
  details(): Promise<UserDetails>
}

/** Creates a user who has just signed in by a password. Records added later are newer. */
export async function signedIn(world: TestAuth, user: NewUser = maya): Promise<Person> {
  const id = await createUser(world.auth, user)
  world.clock.advance(1_000)
  return sessionOf(world, id)
}

/** Opens another session for a user. */
export async function sessionOf({ auth }: TestAuth, id: string): Promise<Person> {
  const { session, token } = await createSession(auth, id, { amr: ['pwd', 'x_primary_password'] })
  const request = { cookie: `session=${token}`, ip: '192.0.2.7', userAgent: 'a browser' }
  const tryTo: Person['tryTo'] = (change, more = {}) =>
    beginAccountFlow(auth, session, change, { ...request, ...more })
  return {
    id,
    session,
    request,
    tryTo,
    begin: async (change, more = {}) =>
      going(auth, await tryTo(change, more), { ...request, ...more }),
    details: () => getUser(auth, id),
  }
}

/** A flow that was begun. @throws {Error} if it was refused. */
function going(auth: TestAuth['auth'], begun: FlowResult, request: RequestContext): TestFlow {
  let last = begun
  let token = stateOf(begun).state_token
  return {
    get last() {
      return last
    },
    get token() {
      return token
    },
    async input(input: FlowInput, from = token) {
      last = await advanceFlow(auth, { state_token: from, input }, request)
      if (last.ok) token = last.result.state_token
      return last
    },
  }
}

/** The events in the outbox, in order. */
export async function eventsOf({ storage }: TestAuth): Promise<readonly AuthEvent[]> {
  const records = await outboxCollection.find(storage, { by: 'id', limit: 1_000 })
  return records.map(({ value }) => value.event as unknown as AuthEvent)
}

/** The events, without those for the sign-up, the login and messages. */
export async function changesOf(world: TestAuth): Promise<readonly AuthEvent[]> {
  const events = await eventsOf(world)
  const usual = /^(user\.(created|authenticated)|(email|sms|whatsapp)\.sent)$/
  return events.filter(({ type }) => !usual.test(type))
}
