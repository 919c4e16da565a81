import type { Account } from '../accounts/records.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import type { EnteredStep, Step } from '../config/flow-definition.ts'
import type { Fact } from './state.ts'

/** Whose account is to be changed, and under which configuration. */
export interface AccountRules {
  readonly account: Account
  readonly config: LoadedAuthConfig
}

/** How a change of an account goes on. */
export interface AccountPath {
  readonly steps: readonly Step[]
  /** What is known, or decided, from the start. */
  readonly facts?: readonly Fact[]
  readonly entered?: readonly EnteredStep[]
  /** Whether the user must have shown a short while ago who they are: because it changes how they sign in, and asks for nothing itself. */
  readonly needsFresh: boolean
}
