import type { LoadedAuthConfig } from '../config/config.ts'
import type {
  AuthenticateBranch,
  AuthenticateStep,
  IdentifyBranch,
  Step,
} from '../config/flow-definition.ts'
import type { LoginIdType } from '../login-ids/login-id.ts'
import { promptPasskey } from './generate-sign-up.ts'
import {
  factorBranches,
  isLoginId,
  nested,
  type OfferedIdentification,
  offeredIdentifications,
  primaryBranches,
  protection,
} from './generated-branches.ts'

/** The steps in which users prove that an account is theirs. */
export function generateLogin(config: LoadedAuthConfig): readonly Step[] {
  const name = 'login_identify'
  const branches = offeredIdentifications(config).map((identification): IdentifyBranch => {
    if (!isLoginId(identification)) return selfProving(config, identification)
    const steps = [authenticateFirst(config, identification, name)]
    return { identification, ...protection(config, ['signup_or_login']), steps }
  })
  const one_of = [selfProving(config, 'select_account'), ...branches]
  return [
    { name, type: 'identify', one_of },
    { type: 'check_account_status' },
    { type: 'terminate_other_sessions' },
    ...promptPasskey(config),
  ]
}

/** Identifications that prove ownership themselves need a second factor only if the configuration says so. */
function selfProving(
  config: LoadedAuthConfig,
  identification: 'oauth' | 'passkey' | 'ldap' | 'select_account',
): IdentifyBranch {
  // The password of a directory is a first factor like any other.
  if (identification === 'ldap') {
    return { identification, ...nested(authenticateSecond(config, identification)) }
  }
  return { identification, ...nested(secondIfApplied(config, identification, identification)) }
}

function authenticateFirst(
  config: LoadedAuthConfig,
  type: LoginIdType,
  target: string,
): AuthenticateStep {
  const name = `authenticate_primary_${type}`
  const one_of = primaryBranches(config, type, target).map((branch): AuthenticateBranch => {
    const { authentication } = branch
    const second =
      authentication === 'primary_passkey'
        ? secondIfApplied(config, 'passkey', type)
        : authenticateSecond(config, type)
    if (authentication !== 'primary_password') return { ...branch, ...nested(second) }
    const steps: readonly Step[] = [...second, { type: 'change_password', target_step: name }]
    return { ...branch, ...protection(config, ['password']), steps }
  })
  return { name, type: 'authenticate', one_of }
}

function secondIfApplied(
  config: LoadedAuthConfig,
  what: 'oauth' | 'passkey' | 'select_account',
  where: OfferedIdentification | 'select_account',
): readonly Step[] {
  const isApplied = config.authentication.secondary_applies_to.includes(what)
  return isApplied ? authenticateSecond(config, where) : []
}

function authenticateSecond(
  config: LoadedAuthConfig,
  where: OfferedIdentification | 'select_account',
): readonly Step[] {
  const { secondary_authentication_mode: mode, recovery_code, device_token } = config.authentication
  if (mode === 'disabled') return []
  const second = factorBranches('secondary', config).map((branch): AuthenticateBranch => {
    const isPassword = branch.authentication === 'secondary_password'
    return isPassword ? { ...branch, ...protection(config, ['password']) } : branch
  })
  const one_of = [
    ...second,
    ...(recovery_code.disabled ? [] : [{ authentication: 'recovery_code' }]),
    ...(device_token.disabled ? [] : [{ authentication: 'device_token' }]),
  ]
  const step = { name: `authenticate_secondary_${where}`, type: 'authenticate', one_of } as const
  return [mode === 'required' ? step : { ...step, optional: true }]
}
