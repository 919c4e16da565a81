import type { AuthenticatorRecord } from './authenticator-record.ts'
import type { IdentityRecord } from './identity-record.ts'
import type { UserRecord } from './user-record.ts'
import type { VerifiedClaimRecord } from './verified-claim-record.ts'

/** A record with its id. */
export type Identified<T> = T & { readonly id: string }

/** The stored data of a user that flows need. */
export interface Account {
  readonly user: Identified<UserRecord>
  /** In order of creation. */
  readonly identities: readonly Identified<IdentityRecord>[]
  readonly authenticators: readonly Identified<AuthenticatorRecord>[]
  readonly verified_claims: readonly VerifiedClaimRecord[]
  /** The number of unused recovery codes. */
  readonly recovery_codes: number
}
