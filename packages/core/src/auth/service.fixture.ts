import { createMemoryStorage } from '@gatehouse/store-memory'
import type { Json, Storage } from '../storage/storage.ts'
import { createManualClock, type ManualClock } from '../testing/manual-clock.ts'
import { createMessageOutbox, type MessageOutbox } from '../testing/message-outbox.ts'
import type { AuthOptions } from './auth-options.ts'
import type { FlowType } from './config/flow-definition.ts'
import type { AuthContext } from './context.ts'
import { createAuth } from './create-auth.ts'
import type { AuthEvent } from './events/auth-event.ts'
import type { FlowInput } from './flow/view.ts'
import { advanceFlow } from './flows/advance-flow.ts'
import { createFlow } from './flows/create-flow.ts'
import type { FlowResult, FlowState, RequestContext } from './flows/flow-result.ts'
import { createScryptHasher } from './kinds/password/scrypt-hasher.ts'

/** A service in memory, and its outgoing messages and events. */
export interface TestAuth {
  readonly auth: AuthContext
  readonly clock: ManualClock
  readonly storage: Storage
  readonly outbox: MessageOutbox
  readonly events: AuthEvent[]
  /** The code, or the link's code, in the newest message to an address. */
  codeTo(target: string): string
}

export const startOfTests: number = Date.parse('2026-03-04T10:00:00Z')

/** Partial configuration; overrides at any depth. */
export type ConfigDelta = { readonly [key: string]: unknown }

/** A service with the default configuration and the given overrides. */
export function testAuth(delta: ConfigDelta = {}, options: Partial<AuthOptions> = {}): TestAuth {
  const clock = createManualClock(startOfTests)
  const storage = options.storage ?? createMemoryStorage({ clock })
  const outbox = createMessageOutbox()
  const events: AuthEvent[] = []
  const auth = createAuth({
    storage,
    clock,
    config: { id: 'test', http: { public_origin: 'https://auth.example.com' }, ...delta },
    secrets: [{ id: 'k1', key: 'test key of at least thirty-two bytes' }],
    senders: outbox.senders,
    hasher: createScryptHasher({ N: 16, r: 1, p: 1 }),
    onEvent: (event) => {
      events.push(event)
    },
    ...options,
  })
  return { auth, clock, storage, outbox, events, codeTo: outbox.codeTo }
}

/** A client that goes through one flow, state by state. */
export interface TestFlow {
  /** The newest result. */
  readonly last: FlowResult
  /** The state the next input goes to. */
  readonly token: string
  /** Feeds an input to the newest state, or to the state of `token`. */
  input(input: FlowInput, token?: string): Promise<FlowResult>
}

/** Creates a flow. @throws {Error} if it is refused. */
export async function startFlow(
  { auth }: TestAuth,
  type: FlowType,
  request: RequestContext = {},
  name = 'default',
): Promise<TestFlow> {
  let last = await createFlow(auth, { type, name }, request)
  let token = stateOf(last).state_token
  return {
    get last() {
      return last
    },
    get token() {
      return token
    },
    async input(input, from = token) {
      last = await advanceFlow(auth, { state_token: from, input }, request)
      if (last.ok) token = last.result.state_token
      return last
    },
  }
}

/** A state whose data is read by name: a test knows the prompt that it has led to. */
export interface TestState extends Omit<FlowState, 'action'> {
  readonly action: Omit<FlowState['action'], 'data'> & {
    readonly identification?: string
    readonly authentication?: string
    readonly data: { readonly [name: string]: Json }
  }
}

/** The state of a successful result. @throws {Error} if the result is a refusal. */
export function stateOf(result: FlowResult): TestState {
  if (result.ok) return testState(result.result)
  throw new Error(`${result.error.reason}: ${JSON.stringify(result.error)}`)
}

/** A state for tests. */
export const testState = (state: FlowState): TestState => state as unknown as TestState

/** The error of a refused result, without the id that differs each time. @throws {Error} if the result is a success. */
export function errorOf(result: FlowResult): {
  readonly reason: string
  readonly code: number
  readonly info?: unknown
} {
  if (result.ok) throw new Error(`expected a refusal, got ${JSON.stringify(result.result.action)}`)
  const { tracking_id: _id, ...error } = result.error
  return error
}
