import { isGatehouseError } from '../../errors.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import {
  type OfferedIdentification,
  offeredIdentifications,
} from '../default-flows/generated-branches.ts'
import { secondFactors } from '../flow/hooks/demanded-steps.ts'
import type * as wire from '../wire/types.generated.ts'
import type { AccountFlowChange } from './account-change.ts'
import { type AccountFlowRules, accountFlow } from './account-flow.ts'

/**
 * The changes that a page can offer, with the possible values of each, as far as configuration and account allow. It is only a
 * hint: forbidden changes are refused anyway.
 */
export type AvailableChanges = wire.AvailableChanges

/** The changes that can begin. */
export function availableChanges(rules: AccountFlowRules): AvailableChanges {
  const { account, config, kinds } = rules
  const isPossible = (change: AccountFlowChange): boolean => {
    try {
      accountFlow(change, rules)
      return true
    } catch (error) {
      if (isGatehouseError(error)) return false
      throw error
    }
  }
  const ids = account.identities.map(({ id }) => id)
  const factors = secondFactors(config, kinds).map(({ authentication }) => authentication)
  return {
    add_identity: offeredIdentifications(config).filter(
      (one) => isAddable(one, config) && isPossible({ add_identity: one }),
    ),
    replace_identity: ids.filter((id) => isPossible({ replace_identity: id })),
    verify_identity: ids.filter((id) => isPossible({ verify_identity: id })),
    create_authenticator: ['primary_password', ...factors].filter((one) =>
      isPossible({ create_authenticator: [one] }),
    ),
    change_password: (['primary', 'secondary'] as const).filter((kind) =>
      isPossible({ change_password: kind }),
    ),
    create_passkey: isPossible({ create_passkey: true }),
    create_recovery_codes: isPossible({ create_recovery_codes: true }),
    api_keys: config.api_keys !== undefined,
    ...(config.account_deletion.scheduled_by_end_user_enabled
      ? { delete_account: { grace_period_days: config.account_deletion.grace_period_days } }
      : {}),
  }
}

/** Whether the configuration lets users add this kind of identity. */
function isAddable(identification: OfferedIdentification, { identity }: LoadedAuthConfig): boolean {
  if (identification === 'passkey') return false
  if (identification === 'oauth') {
    return identity.oauth.providers.some(({ create_disabled }) => !create_disabled)
  }
  const key = identity.login_id.keys.find(({ type }) => type === identification)
  return key?.create_disabled === false
}
