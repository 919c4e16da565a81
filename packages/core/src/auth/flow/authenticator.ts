import type { Json } from '../../storage/storage.ts'
import type { Account } from '../accounts/records.ts'
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

/** An option with what is kept of it and not shown. JSON. */
export interface OfferedOption {
  readonly option: AuthenticationOption
  /** For the authenticator itself: whom the code goes to, which stored authenticator it is. */
  readonly hidden?: { readonly [name: string]: Json }
}

/** One way to show who one is. A new one is one file. */
export interface Authenticator {
  readonly authentication: string
  /** What a session that used it says of itself, as `pwd`. */
  readonly amr: readonly string[]
  /** Whether it counts as an authenticator of the user: recovery codes and device tokens do not. */
  readonly kind: 'primary' | 'secondary' | 'pseudo'
  /** Whether users also say who they are by it: a step that lists it is passed if they did (default false). */
  readonly identifies?: true
  /** What a user can choose at sign-in; `account` is how the user will be if the flow ends as it stands. */
  offer(
    branch: AuthenticateBranch,
    account: Account,
    view: FlowView,
  ): Asking<readonly OfferedOption[]>
  /** An option of a sign-in as it is shown now, where that is not how it was offered. */
  show?(offered: OfferedOption, view: FlowView): Asking<AuthenticationOption>
  /** What the input for an option must have beside `authentication`; `index` is its place among all options. */
  schema(offered: OfferedOption, index: number): JsonSchema
  /** Whether an input that fits the schema means this option (default: it does). */
  isMeant?(offered: OfferedOption, input: FlowInput): boolean
  authenticate(
    offered: OfferedOption,
    input: FlowInput,
    account: Account,
    view: FlowView,
  ): Asking<Reaction>
  /** The same for setting one up; absent for one that cannot be. */
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
  /** Further prompts it may lead to. */
  readonly nodes?: readonly NodeHandler[]
  /** What it asks of the world outside. */
  readonly ports?: PortAnswers
}
