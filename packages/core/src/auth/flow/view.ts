import type { Json } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import type {
  Authentication,
  EnteredStep,
  FlowDefinition,
  FlowType,
  Identification,
  Step,
} from '../config/flow-definition.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { Asking } from './asking.ts'
import type { Effect, Fact, FlowNode, FlowSession, FlowSnapshot } from './state.ts'

/** What is known of the request that an input came with. */
export interface RequestFacts {
  readonly ip: string
  readonly user_agent: string | null
  /** The token of its session cookie. */
  readonly session_token: string | null
  readonly device_tokens: readonly string[]
}

/** What a flow remembers in whichever of its states it goes on. */
export interface FlowMemory {
  /** Whether somebody has shown in it to be no machine. */
  readonly is_bot_protection_passed: boolean
}

/** Everything rules may look at without asking. */
export interface FlowView {
  readonly config: LoadedAuthConfig
  readonly now: Instant
  readonly request: RequestFacts
  readonly session: FlowSession
  readonly memory: FlowMemory
  /** Whether the host wants to be asked at the points of flows. */
  readonly has_hook: boolean
  readonly state: FlowSnapshot
  /** A declared or generated flow; `undefined` if there is none. */
  flow(type: FlowType, name: string): FlowDefinition | undefined
}

/** An input: whatever JSON object a client sends. */
export type FlowInput = { readonly [name: string]: Json }

/** What an action shows beside the type of its step. */
export interface ShownAction {
  readonly identification?: Identification
  readonly authentication?: Authentication
  readonly data: { readonly [name: string]: Json }
}

/** What an input comes to. A refused one is an error. */
export interface Reaction {
  /** The next prompt of the same step; without one the step is done. */
  readonly node?: FlowNode
  readonly facts?: readonly Fact[]
  readonly effects?: readonly Effect[]
  /** Run right after this step, once it is done. */
  readonly steps?: readonly Step[]
  /** Goes on as another flow: its steps take the place of all that were to follow. */
  readonly become?: FlowDefinition & {
    /** What follows after its steps (default nothing). */
    readonly then?: readonly Step[]
    /** What has been established, in place of all that was (default: it stays). */
    readonly facts?: readonly Fact[]
  }
  /** Goes on as the flow that another one was gone through for, with what had been entered of it. */
  readonly resume?: {
    readonly type: FlowType
    readonly name: string
    readonly entered: readonly EnteredStep[]
  }
  /** What other steps may refer to, added to what is known of the step. */
  readonly entered?: Partial<EnteredStep>
  readonly notes?: { readonly [name: string]: Json }
}

/** What entering a step comes to: the same, or that there is nothing to do in it. */
export type Entrance = Reaction | 'skip'

/** One type of step. */
export interface StepHandler<S extends Step = Step> {
  readonly type: S['type']
  /** Called once, when the flow comes to it. May prompt, be done at once, or be skipped. */
  enter(step: S, view: FlowView): Asking<Entrance>
}

/**
 * One kind of prompt. `class` is what it asks for: an input that has answered one prompt of a class is not offered
 * to a second one of the same class.
 */
export interface NodeHandler<N extends FlowNode = FlowNode> {
  readonly kind: N['kind']
  readonly class:
    | 'identification'
    | 'authentication'
    | 'channel'
    | 'otp'
    | 'totp'
    | 'password'
    | 'destination'
    | 'other'
  /** What the client is shown; called at every read, so it changes nothing. */
  show(node: N, view: FlowView): Asking<ShownAction>
  /** What an input must be like. */
  schema(node: N, view: FlowView): JsonSchema
  /** `input` fits the schema. */
  react(node: N, input: FlowInput, view: FlowView): Asking<Reaction>
}
