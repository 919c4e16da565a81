import { noAuthenticator } from '../../errors.ts'
import type { AccountPath, AccountRules } from '../../flow/account-path.ts'
import { arePasskeysEnabled, passkeysOf } from './passkey.ts'

/** @throws {GatehouseError} `InvariantViolated` (`NoAuthenticator`) if passkeys cannot be created. */
export function createPasskeyPath({ config }: AccountRules): AccountPath {
  if (!arePasskeysEnabled(config)) throw noAuthenticator()
  return { steps: [{ type: 'prompt_create_passkey' }], needsFresh: true }
}

/** Whether the user can sign in with a passkey alone. */
export const hasPasskeyWayIn = ({ account, config }: AccountRules): boolean =>
  arePasskeysEnabled(config) && passkeysOf(account).length > 0
