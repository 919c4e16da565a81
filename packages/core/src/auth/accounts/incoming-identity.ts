import type { Json } from '../../storage/storage.ts'
import type { ValidationCause } from '../errors.ts'
import type { ClaimName } from './identity-record.ts'

/** An identity whose user is not known yet. JSON. */
export interface IncomingIdentity {
  /** The name of its kind. */
  readonly identification: string
  /** Its names in errors: `login_id` and its type, or `oauth` and its provider. */
  readonly names: {
    readonly IdentityTypeIncoming: string
    readonly LoginIDTypeIncoming?: string
    readonly OAuthProviderTypeIncoming?: string
  }
  /** The alias of its provider, or the key of its login ID; account linking rules refer to it. */
  readonly source: string
  /** The claims it asserts. */
  readonly claims: { readonly [Name in ClaimName]?: string }
  /** Claims that are verified along with it. */
  readonly verified: readonly ClaimName[]
  /** Its display form, masked where required. */
  readonly display: string
  /** The data of its kind. */
  readonly own: Json
  /** Why users cannot get such an identity; it can only be looked up. */
  readonly problem?: ValidationCause
}
