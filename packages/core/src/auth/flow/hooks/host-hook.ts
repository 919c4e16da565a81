import type { Attributes } from '../../accounts/user-record.ts'
import type { BranchBotProtection } from '../../config/flow-definition.ts'

/** Where a flow asks a hook. */
export type HookPoint =
  | 'authentication.pre_initialize'
  | 'authentication.post_identified'
  | 'authentication.pre_authenticated'

/** The answer of a blocking hook. If `is_allowed` is false, only `title` and `reason` are read. */
export interface HookAnswer {
  readonly is_allowed: boolean
  readonly title?: string
  readonly reason?: string
  /** For `user.pre_create` and `user.profile.pre_update`: changes to the profile. Each given member is replaced as a whole. */
  readonly mutations?: {
    readonly user?: {
      readonly standard_attributes?: Attributes
      readonly custom_attributes?: Attributes
    }
  }
  /** For `authentication.*`: values that the `amr` of the session must have in the end. */
  readonly constraints?: { readonly amr?: readonly string[] }
  /**
   * For `authentication.*`: the cost of one use of a rate limit from now on, by its group, as `authentication.password` (default
   * 1). 0 and below cost nothing. A cost above the burst is always refused.
   */
  readonly rate_limits?: { readonly [group: string]: { readonly weight: number } }
  /** For `authentication.*`: whether branches ask for bot protection; overrides the branches' own setting. */
  readonly bot_protection?: BranchBotProtection
}
