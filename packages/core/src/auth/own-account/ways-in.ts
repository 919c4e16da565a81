import type { Account } from '../accounts/account.ts'
import type { IdentityRecord } from '../accounts/identity-record.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import { hasPasskeyWayIn } from '../kinds/passkey/account-passkeys.ts'
import { passwordOf } from '../kinds/password/password-of.ts'

/**
 * Whether an account can be signed in to: an identity identifies the user, and an authenticator proves it. Account recovery does
 * not count, because its mail may not arrive.
 */
function hasWayIn(account: Account, config: LoadedAuthConfig): boolean {
  if (hasPasskeyWayIn({ account, config })) return true
  return account.identities.some((identity) => isWayIn(identity, account, config))
}

function isWayIn(identity: IdentityRecord, account: Account, config: LoadedAuthConfig): boolean {
  const { identities, primary_authenticators: first } = config.authentication
  switch (identity.type) {
    case 'login_id': {
      const codes = { email: 'oob_otp_email', phone: 'oob_otp_sms', username: undefined }
      const code = codes[identity.login_id_type]
      const isShown = account.authenticators.some(
        ({ kind, type }) => kind === 'primary' && type === 'custom',
      )
      const hasPassword = passwordOf(account, 'primary') !== undefined
      return hasPassword || isShown || (code !== undefined && first.includes(code))
    }
    case 'oauth': {
      const { providers } = config.identity.oauth
      return (
        identities.includes('oauth') &&
        providers.some(({ type }) => type === identity.provider_type)
      )
    }
    case 'custom':
      return true
    case 'anonymous':
      return false
  }
}

/** Whether a change removes the last way to sign in to an account. */
export function losesLastWayIn(before: Account, after: Account, config: LoadedAuthConfig): boolean {
  return hasWayIn(before, config) && !hasWayIn(after, config)
}
