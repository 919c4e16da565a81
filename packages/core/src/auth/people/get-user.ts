import { decodeInput, rawText } from '../../input/decode.ts'
import type { Identified } from '../accounts/account.ts'
import { loadAccount } from '../accounts/accounts.ts'
import type { AuthenticatorRecord } from '../accounts/authenticator-record.ts'
import { withoutMark } from '../accounts/identities.ts'
import type { ClaimName, IdentityRecord } from '../accounts/identity-record.ts'
import type { UserRecord } from '../accounts/user-record.ts'
import type { AuthContext } from '../context.ts'
import { userNotFound } from '../errors.ts'
import { isUserVerified } from './verified-user.ts'

/** A user as the host sees it, without secrets. */
export interface UserDetails extends Identified<UserRecord> {
  readonly identities: readonly Identified<IdentityRecord>[]
  readonly authenticators: readonly {
    readonly id: string
    readonly type: AuthenticatorRecord['type']
    readonly kind: AuthenticatorRecord['kind']
    readonly created_at: number
    readonly updated_at: number
  }[]
  readonly verified_claims: readonly { readonly name: ClaimName; readonly value: string }[]
  /** Whether any address of the user is verified, or all are, as `verification.criteria` says. */
  readonly is_verified: boolean
  /** The number of unused recovery codes. */
  readonly recovery_codes: number
}

/**
 * Reads a user by id.
 *
 * @throws {GatehouseError} `UserNotFound`
 */
export async function getUser(auth: AuthContext, userId: string): Promise<UserDetails> {
  const account = await loadAccount(auth.storage, decodeInput('userId', rawText, userId))
  if (account === undefined) throw userNotFound({})
  const { user, identities, authenticators, verified_claims: claims, recovery_codes } = account
  return {
    ...user,
    identities: identities.map((one) => ({
      ...withoutMark(one),
      updated_at: one.updated_at ?? one.created_at,
    })),
    authenticators: authenticators.map(({ id, type, kind, created_at, updated_at }) => ({
      id,
      type,
      kind,
      created_at,
      updated_at,
    })),
    verified_claims: claims.map(({ name, value }) => ({ name, value })),
    is_verified: isUserVerified(account, auth.config.current.verification),
    recovery_codes,
  }
}
