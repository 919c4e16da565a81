import type { Step } from '../../config/flow-definition.ts'
import { noAuthenticator } from '../../errors.ts'
import type { AccountPath, AccountRules } from '../../flow/account-path.ts'

const shown: readonly Step[] = [{ type: 'view_recovery_code' }]

/**
 * @throws {GatehouseError} `InvariantViolated` (`NoAuthenticator`) for a user without a second factor, which the codes replace.
 */
export function createRecoveryCodesPath({ account, config }: AccountRules): AccountPath {
  const hasSecond = account.authenticators.some(({ kind }) => kind === 'secondary')
  if (config.authentication.recovery_code.disabled || !hasSecond) throw noAuthenticator()
  return { steps: shown, needsFresh: true }
}

/** The steps after the setup of a second factor: users without recovery codes get some. */
export function firstRecoveryCodes({ account, config }: AccountRules): readonly Step[] {
  const isOff = config.authentication.recovery_code.disabled
  return account.recovery_codes === 0 && !isOff ? shown : []
}
