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

/** The properties of the request that an input came with. */
export interface RequestFacts {
  readonly ip: string
  readonly user_agent: string | null
  /** The languages that the browser accepts, the preferred one first. */
  readonly languages: readonly string[]
  /** The token of its session cookie. */
  readonly session_token: string | null
  readonly device_tokens: readonly string[]
}

/** Values that all states of a flow share. */
export interface FlowMemory {
  /** Whether the flow has passed bot protection. */
  readonly is_bot_protection_passed: boolean
}

/** Everything that rules can read without asking. */
export interface FlowView {
  readonly config: LoadedAuthConfig
  readonly now: Instant
  readonly request: RequestFacts
  readonly session: FlowSession
  readonly memory: FlowMemory
  /** Whether the host has a hook for the points of flows. */
  readonly has_hook: boolean
  readonly state: FlowSnapshot
  /** A declared or generated flow; `undefined` if there is none. */
  flow(type: FlowType, name: string): FlowDefinition | undefined
}

/** An input: any JSON object that a client sends. */
export type FlowInput = { readonly [name: string]: Json }

/** The action of a state, without the type of its step. */
export interface ShownAction {
  readonly identification?: Identification
  readonly authentication?: Authentication
  readonly data: { readonly [name: string]: Json }
}

/** The outcome of an input. A refused input is an error. */
export interface Reaction {
  /** The next prompt of the same step; without one the step is done. */
  readonly node?: FlowNode
  readonly facts?: readonly Fact[]
  readonly effects?: readonly Effect[]
  /** Run after this step is done. */
  readonly steps?: readonly Step[]
  /** Continues as another flow, whose steps replace the remaining ones. */
  readonly become?: FlowDefinition & {
    /** The steps after those of that flow (default none). */
    readonly then?: readonly Step[]
    /** Facts that replace all earlier ones (default: they stay). */
    readonly facts?: readonly Fact[]
  }
  /** Resumes the flow that this one interrupted, with its entered steps. */
  readonly resume?: {
    readonly type: FlowType
    readonly name: string
    readonly entered: readonly EnteredStep[]
  }
  /** Values of this step that others may refer to. */
  readonly entered?: Partial<EnteredStep>
  readonly notes?: { readonly [name: string]: Json }
}

/** The outcome of entering a step: a reaction, or `skip` if there is nothing to do. */
export type Entrance = Reaction | 'skip'

/** One type of step. */
export interface StepHandler<S extends Step = Step> {
  readonly type: S['type']
  /** Called once, when the flow reaches it. May prompt, finish at once, or skip. */
  enter(step: S, view: FlowView): Asking<Entrance>
}

/** One kind of prompt. `class` groups prompts: an input that answered one prompt is not applied to another of its class. */
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
  /** The action for clients. Called at every read, so it must change nothing. */
  show(node: N, view: FlowView): Asking<ShownAction>
  /** The schema of its input. */
  schema(node: N, view: FlowView): JsonSchema
  /** `input` matches the schema. */
  react(node: N, input: FlowInput, view: FlowView): Asking<Reaction>
}
