import type { Account } from '../accounts/account.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import { isVerified } from '../flow/account.ts'

/**
 * Whether a user counts as verified: whether any of the verifiable addresses is verified, or all are, as the configuration says.
 * A user without one does not.
 *
 * @see Authgear, `verification.criteria`
 */
export function isUserVerified(
  account: Account,
  { claims, criteria }: LoadedAuthConfig['verification'],
): boolean {
  const addresses = account.identities.flatMap((identity) =>
    (['email', 'phone_number'] as const).flatMap((name) => {
      const value = identity[name]
      const isMeant = value !== undefined && claims[name].enabled
      return isMeant ? [isVerified(account, name, value)] : []
    }),
  )
  if (criteria === 'any') return addresses.includes(true)
  return addresses.length > 0 && !addresses.includes(false)
}
