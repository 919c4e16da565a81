import type { FlowType } from '../config/flow-definition.ts'
import type { AuthEvent } from '../events/auth-event.ts'
import { outboxCollection } from '../events/outbox.ts'
import type { FlowInput } from '../flow/view.ts'
import { advanceFlow } from '../flows/advance-flow.ts'
import { type CreateFlowParams, createFlow } from '../flows/create-flow.ts'
import type { FlowResult, RequestContext } from '../flows/flow-result.ts'
import { getFlowState } from '../flows/get-flow-state.ts'
import { stateOf, type TestAuth, type TestState } from '../service.fixture.ts'
import type { SetCookie } from './cookies.ts'

/** A browser that stores the cookies it gets and sends them. */
export interface TestBrowser {
  /** The token of its session; empty without a session. */
  readonly token: string
  /** The context it sends with a request. */
  readonly request: RequestContext
  /** The options of the latest `identify`. */
  readonly options: readonly unknown[]
  /** Creates a flow. */
  begin(type: FlowType, params?: Partial<CreateFlowParams>): Promise<FlowResult>
  /** Sends an input to the latest state. */
  input(input: FlowInput): Promise<FlowResult>
  /** Reads the latest state again. */
  read(): Promise<TestState>
  keep(cookies: readonly SetCookie[]): void
  forget(): void
}

/** Opens a browser without cookies. */
export function openBrowser({ auth }: TestAuth, context: RequestContext = {}): TestBrowser {
  const cookies = new Map<string, string>()
  let last: TestState | undefined
  const keep = (set: readonly SetCookie[]): void => {
    for (const { name, value, maxAge } of set) {
      if (maxAge === 0) cookies.delete(name)
      else cookies.set(name, value)
    }
  }
  const took = (result: FlowResult): FlowResult => {
    keep(result.cookies)
    if (result.ok) last = stateOf(result)
    return result
  }
  const browser: TestBrowser = {
    get token() {
      return cookies.get('session') ?? ''
    },
    get request() {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      return { ...context, cookie }
    },
    get options() {
      return (last?.action.data.options ?? []) as readonly unknown[]
    },
    async begin(type, params = {}) {
      return took(await createFlow(auth, { type, name: 'default', ...params }, browser.request))
    },
    async input(input) {
      const params = { state_token: last?.state_token ?? '', input }
      return took(await advanceFlow(auth, params, browser.request))
    },
    async read() {
      const params = { state_token: last?.state_token ?? '' }
      return stateOf(await getFlowState(auth, params, browser.request))
    },
    keep,
    forget: () => cookies.clear(),
  }
  return browser
}

/** The events waiting to be delivered, in order. */
export async function waitingEvents({ storage }: TestAuth): Promise<readonly AuthEvent[]> {
  const records = await outboxCollection.find(storage, { by: 'id', limit: 1_000 })
  return records.map(({ value }) => value.event as unknown as AuthEvent)
}

/** The types of {@link waitingEvents}. */
export async function waitingEventTypes(world: TestAuth): Promise<readonly string[]> {
  return (await waitingEvents(world)).map(({ type }) => type)
}
