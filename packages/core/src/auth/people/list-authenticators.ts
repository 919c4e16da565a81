import { decodeInput, rawText } from '../../input/decode.ts'
import type { Instant } from '../../time/clock.ts'
import type { Identified } from '../accounts/account.ts'
import { loadAccount } from '../accounts/accounts.ts'
import type { AuthenticatorRecord } from '../accounts/authenticator-record.ts'
import type { AuthContext } from '../context.ts'
import { userNotFound } from '../errors.ts'

/** An authenticator of a user, without secrets. Instants are in ms since the Unix epoch. */
export interface ListedAuthenticator {
  readonly id: string
  readonly type: AuthenticatorRecord['type']
  readonly kind: AuthenticatorRecord['kind']
  /** Its name in flows, as `secondary_totp`. */
  readonly authentication: string
  readonly created_at: Instant
  readonly updated_at: Instant
  /** For codes by mail or phone: the address. */
  readonly target?: string
  /** For TOTP apps and passkeys. */
  readonly display_name?: string
  /** For a password: from then on it must be changed. */
  readonly expire_after?: Instant
}

/**
 * The authenticators of a user, oldest first.
 *
 * @throws {GatehouseError} `UserNotFound`
 */
export async function listAuthenticators(
  auth: AuthContext,
  userId: string,
): Promise<readonly ListedAuthenticator[]> {
  const account = await loadAccount(auth.storage, decodeInput('userId', rawText, userId))
  if (account === undefined) throw userNotFound({})
  return account.authenticators.map(listedAuthenticator)
}

/** The listed form of an authenticator. */
export function listedAuthenticator(record: Identified<AuthenticatorRecord>): ListedAuthenticator {
  const { id, type, kind, created_at, updated_at } = record
  const authentication = type === 'custom' ? record.authentication : `${kind}_${type}`
  const base = { id, type, kind, authentication, created_at, updated_at }
  if ('target' in record) return { ...base, target: record.target }
  if ('display_name' in record) return { ...base, display_name: record.display_name }
  if (record.type !== 'password' || record.expire_after === null) return base
  return { ...base, expire_after: record.expire_after }
}
