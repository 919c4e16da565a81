import type { Json } from '../../storage/storage.ts'
import type { Identified } from '../accounts/account.ts'
import type { ClaimName, IdentityRecord } from '../accounts/identity-record.ts'
import type { IncomingIdentity } from '../accounts/incoming-identity.ts'
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

/** The outcome of choosing an option. JSON, since another flow may continue with it. */
export type Identifying =
  /** An identity of a user, or one that is still free. */
  | {
      readonly kind: 'identity'
      readonly incoming: IncomingIdentity
      /** Whether the outer flow has already spent the enumeration limits on it. */
      readonly isAskedFor?: true
    }
  /** A user, and what else was proven. */
  | {
      readonly kind: 'user'
      readonly user_id: string
      readonly reaction?: Pick<Reaction, 'facts' | 'entered' | 'notes'>
    }
  /** A further prompt of this kind. */
  | { readonly kind: 'prompt'; readonly node: FlowNode }

/** One way to sign in: its option for clients, and its input beside `identification`. */
export interface SignInWay {
  readonly masked_display_name: string
  readonly input: FlowInput
  /** More members of the option for clients (default none). */
  readonly shown?: { readonly [name: string]: Json }
}

/** A prompt on the way to an identity. */
export interface IdentificationPrompt<N extends FlowNode = FlowNode>
  extends Omit<NodeHandler<N>, 'react' | 'class'> {
  /** `input` matches the schema. */
  react(node: N, input: FlowInput, view: FlowView): Asking<Identifying>
}

/** One way to identify a user. A new one is one file. */
export interface IdentificationKind {
  readonly identification: string
  /** The options of a branch; none if it cannot work. */
  options(branch: IdentifyBranch, view: FlowView): Asking<readonly IdentificationOption[]>
  /** The schema of the input for an option, beside `identification`; `index` is the option's position among all. */
  schema(option: IdentificationOption, index: number, view: FlowView): JsonSchema
  /** The current form of an option, if it differs from the one that was offered. */
  show?(option: IdentificationOption, view: FlowView): Asking<IdentificationOption>
  identify(option: IdentificationOption, input: FlowInput, view: FlowView): Asking<Identifying>
  /** The stored identity that equals an incoming one; for kinds that create identities. */
  find?(incoming: IncomingIdentity): Asking<Identified<IdentityRecord> | undefined>
  /** The record to store for a user. */
  toRecord?(
    incoming: IncomingIdentity,
    id: string,
    userId: string,
    view: FlowView,
  ): Identified<IdentityRecord>
  /** Refuses an identity that no user has yet (default: none is refused). @throws {GatehouseError} with the reason. */
  checkNew?(incoming: IncomingIdentity, view: FlowView): void
  /** The record of a stored identity that its user signs in by again; `next` is that of `toRecord` (default `next`). */
  renew?(
    next: Identified<IdentityRecord>,
    stored: Identified<IdentityRecord>,
    incoming: IncomingIdentity,
  ): Identified<IdentityRecord>
  /**
   * How an identity that shares a claim with an existing account is linked, for kinds that the host passes in (default: it is
   * refused). Unverified claims link nothing.
   */
  readonly linking?: readonly OwnLinkingRule[]
  /** How the user of a stored identity signs in by it before linking (default: in another of their ways). */
  signInBy?(identity: Identified<IdentityRecord>, view: FlowView): Asking<SignInWay | undefined>
  /**
   * Whether the user has proven to own an identity of this kind, so that flows may tell them if an account has it (default
   * `false`).
   */
  readonly isProof?: true
  /** The schema of the additional input when users choose that way (default none). */
  readonly signInSchema?: JsonSchema
  /** Further prompts of this kind. */
  readonly prompts?: readonly IdentificationPrompt[]
  /** The ports of this kind: questions to systems outside. */
  readonly ports?: PortAnswers
}

/** How a custom kind finds the existing accounts that its identities belong to. */
export interface OwnLinkingRule {
  /** The claim of the incoming identity. */
  readonly claim: ClaimName
  /** The account's claim to compare with. */
  readonly user_claim: ClaimName
  readonly action: LinkingAction
}
