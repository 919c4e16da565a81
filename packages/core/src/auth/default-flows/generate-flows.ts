import type { LoadedAuthConfig } from '../config/config.ts'
import type {
  AuthenticateBranch,
  DeclaredFlowType,
  FlowDefinition,
  IdentifyBranch,
  Step,
} from '../config/flow-definition.ts'
import { generateLogin } from './generate-login.ts'
import { generateSignUp, signUpProtection } from './generate-sign-up.ts'
import { factorBranches, offeredIdentifications, protection } from './generated-branches.ts'

const generators: Readonly<
  Record<DeclaredFlowType, (config: LoadedAuthConfig) => readonly Step[]>
> = {
  signup: (config) => generateSignUp(config, 'signup_identify'),
  promote: (config) => generateSignUp(config, 'promote_identify'),
  login: generateLogin,
  signup_login: generateSignupLogin,
  reauth: generateReauth,
  account_recovery: generateRecovery,
}

/**
 * The generated flow `default` of a type: what the configuration enables, in its order. The same configuration always gives the
 * same flow.
 *
 * @see Authgear, generated authentication flows
 */
export function generateFlow(config: LoadedAuthConfig, type: DeclaredFlowType): FlowDefinition {
  return { type, name: 'default', steps: generators[type](config) }
}

function generateSignupLogin(config: LoadedAuthConfig): readonly Step[] {
  const selecting = { identification: 'select_account', login_flow: 'default' }
  const branches = offeredIdentifications(config).map((identification): IdentifyBranch => {
    // A passkey cannot sign up.
    if (identification === 'passkey') return { identification, login_flow: 'default' }
    return {
      identification,
      ...signUpProtection(config, identification),
      signup_flow: 'default',
      login_flow: 'default',
    }
  })
  return [{ name: 'signup_login_identify', type: 'identify', one_of: [selecting, ...branches] }]
}

function generateReauth(config: LoadedAuthConfig): readonly Step[] {
  const hasSecond = config.authentication.secondary_authentication_mode !== 'disabled'
  const one_of: readonly AuthenticateBranch[] = [
    ...factorBranches('primary', config),
    ...(hasSecond ? factorBranches('secondary', config) : []),
  ]
  return [
    { type: 'identify', one_of: [{ identification: 'id_token' }] },
    { name: 'reauthenticate', type: 'authenticate', one_of },
  ]
}

function generateRecovery(config: LoadedAuthConfig): readonly Step[] {
  const { forgot_password: channels } = config.ui
  const offered = offeredIdentifications(config)
  const one_of = (['email', 'phone'] as const)
    .filter((type) => offered.includes(type))
    .map((identification): IdentifyBranch => {
      return {
        identification,
        ...protection(config, ['account_recovery']),
        on_failure: 'ignore',
        steps: [{ type: 'select_destination', allowed_channels: channels[identification] }],
      }
    })
  return [
    { type: 'identify', one_of },
    { type: 'verify_account_recovery_code' },
    { type: 'reset_password' },
  ]
}
