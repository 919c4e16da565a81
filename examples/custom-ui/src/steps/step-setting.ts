import type { Link } from '../pages/layout.ts'
import type { Field } from './step-page.ts'

/** What the page of a step depends on beside its state. */
export interface StepSetting {
  /** In ms since the Unix epoch. */
  readonly now: number
  /** Where identity providers send the browser back to. */
  readonly redirectUri: string
  /** The `state` for the address of a provider; asked for where there is one. */
  leave(): string
  /** Links to other flows, which begin with the query of this one. */
  readonly links: { readonly signUp: Link; readonly signIn: Link; readonly recover: Link }
  readonly profileFields: readonly Field[]
}
