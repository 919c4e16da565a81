import type { Account } from '../accounts/account.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import type { EnteredStep, Step } from '../config/flow-definition.ts'
import type { Fact } from './state.ts'

/** The account to change, and the configuration that applies. */
export interface AccountRules {
  readonly account: Account
  readonly config: LoadedAuthConfig
}

/** The steps and facts of an account change. */
export interface AccountPath {
  readonly steps: readonly Step[]
  /** Facts that are known or decided from the start. */
  readonly facts?: readonly Fact[]
  readonly entered?: readonly EnteredStep[]
  /**
   * Whether the user must have authenticated recently: true if the change affects how they sign in and no step of it
   * authenticates them.
   */
  readonly needsFresh: boolean
}
