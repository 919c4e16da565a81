import type { Json } from '../storage.ts'
import type { IdentifyBranch } from './flow-definition.ts'
import type { FlowInput, FlowView, NodeHandler, Reaction } from './flow-view.ts'
import type { JsonSchema } from './json-schema.ts'
import type { Asking } from './questions.ts'
import type { ClaimName, Identified, IdentityRecord } from './records.ts'

/** An identity as it comes in: whose it is, is not known yet. */
export interface IncomingIdentity {
  /** How errors call it: `login_id` and its type, `oauth` and its provider. */
  readonly names: {
    readonly IdentityTypeIncoming: string
    readonly LoginIDTypeIncoming?: string
    readonly OAuthProviderTypeIncoming?: string
  }
  /** The claims it asserts. */
  readonly claims: { readonly [Name in ClaimName]?: string }
  /** Claims that count as verified with it. */
  readonly verified: readonly ClaimName[]
  /** The stored identity it equals. */
  find(): Asking<Identified<IdentityRecord> | undefined>
  /** What would be stored for a user. */
  toRecord(id: string, userId: string, view: FlowView): Identified<IdentityRecord>
  /** How it may be shown: masked where that is due. */
  readonly display: string
}

/** An option of an `identify` action. JSON. */
export type IdentificationOption = {
  readonly identification: string
  readonly [name: string]: Json
}

/** What choosing an option leads to: an identity, a user without one, or a further prompt. */
export type Identifying =
  | { readonly kind: 'identity'; readonly incoming: IncomingIdentity }
  | { readonly kind: 'user'; readonly user_id: string; readonly reaction: Reaction }
  | { readonly kind: 'prompt'; readonly reaction: Reaction }

/** One way to say who one is. A new one is one file. */
export interface IdentificationKind {
  readonly identification: string
  /** The options a branch has here; none if it cannot work. */
  options(branch: IdentifyBranch, view: FlowView): Asking<readonly IdentificationOption[]>
  /** What the input for an option must have beside `identification`; `index` is its place among all options. */
  schema(option: IdentificationOption, index: number): JsonSchema
  identify(option: IdentificationOption, input: FlowInput, view: FlowView): Asking<Identifying>
  /** Further prompts it may lead to. */
  readonly nodes?: readonly NodeHandler[]
}
