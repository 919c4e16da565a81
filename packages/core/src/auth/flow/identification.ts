import type { Json } from '../../storage/storage.ts'
import type { IncomingIdentity } from '../accounts/incoming-identity.ts'
import type { ClaimName, Identified, IdentityRecord } from '../accounts/records.ts'
import type { IdentifyBranch, LinkingAction } from '../config/flow-definition.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { Asking } from './asking.ts'
import type { PortAnswers } from './port-answers.ts'
import type { FlowNode } from './state.ts'
import type { FlowInput, FlowView, NodeHandler, Reaction } from './view.ts'

/** An option of an `identify` action. JSON. */
export type IdentificationOption = {
  readonly identification: string
  readonly [name: string]: Json
}

/** What choosing an option leads to. JSON, since a flow may go on with it as another flow. */
export type Identifying =
  /** Somebody's identity, or nobody's yet. */
  | {
      readonly kind: 'identity'
      readonly incoming: IncomingIdentity
      /** Whether the flow that this one began in has asked for it, which costs once. */
      readonly isAskedFor?: true
    }
  /** A user, and what else that has shown. */
  | {
      readonly kind: 'user'
      readonly user_id: string
      readonly reaction?: Pick<Reaction, 'facts' | 'entered' | 'notes'>
    }
  /** A further prompt of this kind. */
  | { readonly kind: 'prompt'; readonly node: FlowNode }

/** A way to sign in: how it is shown, and what the input for it is beside `identification`. */
export interface SignInWay {
  readonly masked_display_name: string
  readonly input: FlowInput
  /** What else clients are shown of it (default nothing). */
  readonly shown?: { readonly [name: string]: Json }
}

/** A prompt on the way to an identity. */
export interface IdentificationPrompt<N extends FlowNode = FlowNode>
  extends Omit<NodeHandler<N>, 'react' | 'class'> {
  /** `input` fits the schema. */
  react(node: N, input: FlowInput, view: FlowView): Asking<Identifying>
}

/** One way to say who one is. A new one is one file. */
export interface IdentificationKind {
  readonly identification: string
  /** The options a branch has here; none if it cannot work. */
  options(branch: IdentifyBranch, view: FlowView): Asking<readonly IdentificationOption[]>
  /** What the input for an option must have beside `identification`; `index` is its place among all options. */
  schema(option: IdentificationOption, index: number): JsonSchema
  /** An option as it is shown now, where that is not how it was offered. */
  show?(option: IdentificationOption, view: FlowView): Asking<IdentificationOption>
  identify(option: IdentificationOption, input: FlowInput, view: FlowView): Asking<Identifying>
  /** The stored identity that an incoming one equals; for kinds that make identities. */
  find?(incoming: IncomingIdentity): Asking<Identified<IdentityRecord> | undefined>
  /** What would be stored of it for a user. */
  toRecord?(
    incoming: IncomingIdentity,
    id: string,
    userId: string,
    view: FlowView,
  ): Identified<IdentityRecord>
  /**
   * What comes of an identity that shares a claim with an account that is there, for kinds that the host passes in (default: it is
   * refused). A claim that is not verified links nothing.
   */
  readonly linking?: readonly OwnLinkingRule[]
  /** How the user of a stored identity signs in by it, where the account is to be linked (default: by another of their ways). */
  signInBy?(identity: Identified<IdentityRecord>, view: FlowView): Asking<SignInWay | undefined>
  /** What the user adds to the input of that way when they choose it (default nothing). */
  readonly signInSchema?: JsonSchema
  /** Further prompts it may lead to. */
  readonly prompts?: readonly IdentificationPrompt[]
  /** What it asks of the world outside. */
  readonly ports?: PortAnswers
}

/** How a kind of the host's own says which of its identities belong to accounts that are there. */
export interface OwnLinkingRule {
  /** The claim of the identity that comes in. */
  readonly claim: ClaimName
  /** The claim of the account it is compared to. */
  readonly user_claim: ClaimName
  readonly action: LinkingAction
}
