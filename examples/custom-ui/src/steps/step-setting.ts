import type { Link } from '../pages/layout.ts'
import type { Field } from './step-page.ts'

/** What a step's page needs beside its state. */
export interface StepSetting {
  /** In ms since the Unix epoch. */
  readonly now: number
  /** The callback address for identity providers. */
  readonly redirectUri: string
  /** Returns the `state` for a provider's address; called only for a provider. */
  leave(): string
  /** Links to other flows, with the query of this one. */
  readonly links: { readonly signUp: Link; readonly signIn: Link; readonly recover: Link }
  readonly profileFields: readonly Field[]
}
