import { decodeInput, rawText } from '../../input/decode.ts'
import type { Instant } from '../../time/clock.ts'
import { loadAccount } from '../accounts/accounts.ts'
import type { AuthenticatorRecord, Identified } from '../accounts/records.ts'
import type { AuthContext } from '../context.ts'
import { userNotFound } from '../errors.ts'

/** An authenticator of a user, without anything that it is checked by. Instants are in ms since the Unix epoch. */
export interface ListedAuthenticator {
  readonly id: string
  readonly type: AuthenticatorRecord['type']
  readonly kind: AuthenticatorRecord['kind']
  /** How flows name it, as `secondary_totp`. */
  readonly authentication: string
  readonly created_at: Instant
  readonly updated_at: Instant
  /** Of one that is a code by mail or phone: where it goes. */
  readonly target?: string
  /** Of an app and of a passkey. */
  readonly display_name?: string
  /** Of a password that must be changed, from then on. */
  readonly expire_after?: Instant
}

/**
 * The authenticators of a user, the oldest first.
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

/** An authenticator, as it is listed. */
export function listedAuthenticator(record: Identified<AuthenticatorRecord>): ListedAuthenticator {
  const { id, type, kind, created_at, updated_at } = record
  const authentication = type === 'custom' ? record.authentication : `${kind}_${type}`
  const base = { id, type, kind, authentication, created_at, updated_at }
  if ('target' in record) return { ...base, target: record.target }
  if ('display_name' in record) return { ...base, display_name: record.display_name }
  if (record.type !== 'password' || record.expire_after === null) return base
  return { ...base, expire_after: record.expire_after }
}
