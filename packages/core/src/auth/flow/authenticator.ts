import type { Json } from '../../storage/storage.ts'
import type { Account } from '../accounts/account.ts'
import type { AuthenticateBranch } from '../config/flow-definition.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { Asking } from './asking.ts'
import type { PortAnswers } from './port-answers.ts'
import type { FlowInput, FlowView, NodeHandler, Reaction } from './view.ts'

/** An option of an `authenticate` or `create_authenticator` action. JSON. */
export type AuthenticationOption = {
  readonly authentication: string
  readonly [name: string]: Json
}

/** An option with its private data, which clients do not see. JSON. */
export interface OfferedOption {
  readonly option: AuthenticationOption
  /** For the authenticator itself: the address the code goes to, or which stored authenticator it is. */
  readonly hidden?: { readonly [name: string]: Json }
}

/** One way to authenticate. A new one is one file. */
export interface Authenticator {
  readonly authentication: string
  /** Its values in the session's `amr`, as `pwd`. */
  readonly amr: readonly string[]
  /** Whether it counts as an authenticator of the user. Recovery codes and device tokens do not. */
  readonly kind: 'primary' | 'secondary' | 'pseudo'
  /** Whether it can also identify the user: a step that lists it is passed if it did (default false). */
  readonly identifies?: true
  /** The options of a user at login; `account` is the user as it will be if the flow ends now. */
  offer(
    branch: AuthenticateBranch,
    account: Account,
    view: FlowView,
  ): Asking<readonly OfferedOption[]>
  /** The current form of an option, if it differs from the one that was offered. */
  show?(offered: OfferedOption, view: FlowView): Asking<AuthenticationOption>
  /** The schema of the input for an option, beside `authentication`; `index` is the option's position among all. */
  schema(offered: OfferedOption, index: number): JsonSchema
  /** Whether an input that matches the schema selects this option (default: it does). */
  isMeant?(offered: OfferedOption, input: FlowInput): boolean
  authenticate(
    offered: OfferedOption,
    input: FlowInput,
    account: Account,
    view: FlowView,
  ): Asking<Reaction>
  /** The same for enrolment; absent if the kind cannot be enrolled. */
  readonly creation?: {
    offer(
      branch: AuthenticateBranch,
      account: Account,
      view: FlowView,
    ): Asking<OfferedOption | undefined>
    schema(offered: OfferedOption): JsonSchema
    create(
      offered: OfferedOption,
      input: FlowInput,
      account: Account,
      view: FlowView,
    ): Asking<Reaction>
  }
  /** Further prompts of this kind. */
  readonly nodes?: readonly NodeHandler[]
  /** The ports of this kind: questions to systems outside. */
  readonly ports?: PortAnswers
}
