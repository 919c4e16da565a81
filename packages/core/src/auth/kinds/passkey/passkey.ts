import { sha256Hex } from '../../../crypto/crypto.ts'
import type { Account, Identified } from '../../accounts/account.ts'
import type { PasskeyAuthenticator } from '../../accounts/authenticator-record.ts'
import type { LoadedAuthConfig } from '../../config/config.ts'
import { singleOrigins } from '../../config/http.ts'
import type { PasskeyParty } from '../../webauthn/passkeys.ts'

/** The authenticator id of a credential, whose own id may be too long for a record. */
export function passkeyId(credentialId: string): string {
  return sha256Hex(credentialId)
}

/** The passkeys of an account, oldest first. */
export function passkeysOf({
  authenticators,
}: Account): readonly Identified<PasskeyAuthenticator>[] {
  return authenticators.filter(
    (one): one is Identified<PasskeyAuthenticator> => one.type === 'passkey',
  )
}

/** Whether passkeys are enabled. */
export function arePasskeysEnabled({ authentication }: LoadedAuthConfig): boolean {
  return authentication.identities.includes('passkey')
}

/** The relying party of passkeys. */
export function passkeyParty({ id, http }: LoadedAuthConfig): PasskeyParty {
  return {
    rp_id: new URL(http.public_origin).hostname,
    rp_name: id,
    origins: [http.public_origin, ...singleOrigins(http.allowed_origins)],
  }
}
