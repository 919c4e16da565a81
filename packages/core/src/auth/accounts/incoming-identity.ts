import type { Json } from '../../storage/storage.ts'
import type { ClaimName } from './records.ts'

/** An identity as it comes in: whose it is, is not known yet. JSON. */
export interface IncomingIdentity {
  /** The kind it is of. */
  readonly identification: string
  /** How errors call it: `login_id` and its type, `oauth` and its provider. */
  readonly names: {
    readonly IdentityTypeIncoming: string
    readonly LoginIDTypeIncoming?: string
    readonly OAuthProviderTypeIncoming?: string
  }
  /** The alias of its provider, or the key of its login ID, as rules of account linking name it. */
  readonly source: string
  /** The claims it asserts. */
  readonly claims: { readonly [Name in ClaimName]?: string }
  /** Claims that count as verified with it. */
  readonly verified: readonly ClaimName[]
  /** How it may be shown: masked where that is due. */
  readonly display: string
  /** What its kind knows of it. */
  readonly own: Json
}
