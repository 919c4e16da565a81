import type { AuthConfig } from './config.ts'
import type {
  AuthenticateBranch,
  AuthenticateStep,
  CreateAuthenticatorStep,
  FlowDefinition,
  FlowType,
  IdentifyBranch,
  Step,
} from './flow-definition.ts'

type LoginIdType = 'email' | 'phone' | 'username'

/** By what each kind of login ID can be authenticated. */
const allowedAuthenticators: Readonly<
  Record<
    LoginIdType,
    { readonly primary: readonly string[]; readonly secondary: readonly string[] }
  >
> = {
  email: {
    primary: ['password', 'oob_otp_email'],
    secondary: ['password', 'totp', 'oob_otp_email', 'oob_otp_sms'],
  },
  phone: {
    primary: ['password', 'oob_otp_sms'],
    secondary: ['password', 'totp', 'oob_otp_email', 'oob_otp_sms'],
  },
  username: {
    primary: ['password'],
    secondary: ['password', 'totp', 'oob_otp_email', 'oob_otp_sms'],
  },
}

/**
 * The flow `default` of a type where none is declared: what the configuration enables, in its order. The same
 * configuration always comes to the same flow. `undefined` for a type that needs one declared.
 *
 * @see Authgear, generated authentication flows
 */
export function generateFlow(config: AuthConfig, type: FlowType): FlowDefinition | undefined {
  const generators: { readonly [Type in FlowType]?: (config: AuthConfig) => readonly Step[] } = {
    signup: generateSignup,
    login: generateLogin,
    signup_login: generateSignupLogin,
    account_recovery: generateRecovery,
  }
  const steps = generators[type]?.(config)
  return steps === undefined ? undefined : { type, name: 'default', steps }
}

/** The types of login IDs somebody can have, each once, in the order of the keys. */
function loginIdTypes({ authentication, identity }: AuthConfig): readonly LoginIdType[] {
  if (!authentication.identities.includes('login_id')) return []
  return [...new Set(identity.login_id.keys.map(({ type }) => type))]
}

function primaryBranches(
  config: AuthConfig,
  type: LoginIdType,
  target: string,
): readonly AuthenticateBranch[] {
  return config.authentication.primary_authenticators
    .filter((name) => allowedAuthenticators[type].primary.includes(name))
    .map((name) => {
      const authentication = `primary_${name}`
      return name.startsWith('oob_otp_')
        ? { authentication, target_step: target }
        : { authentication }
    })
}

function secondaryBranches(config: AuthConfig, type: LoginIdType): readonly AuthenticateBranch[] {
  return config.authentication.secondary_authenticators
    .filter((name) => allowedAuthenticators[type].secondary.includes(name))
    .map((name) => ({ authentication: `secondary_${name}` }))
}

function generateSignup(config: AuthConfig): readonly Step[] {
  const name = 'signup_identify'
  const one_of = loginIdTypes(config).map((type): IdentifyBranch => {
    return { identification: type, steps: signupSteps(config, type, name) }
  })
  return [{ name, type: 'identify', one_of }]
}

function signupSteps(config: AuthConfig, type: LoginIdType, target: string): readonly Step[] {
  const steps: Step[] = []
  const claims = config.verification.claims
  const claim = type === 'email' ? claims.email : type === 'phone' ? claims.phone_number : undefined
  if (claim?.enabled === true && claim.required) steps.push({ type: 'verify', target_step: target })
  const primary = primaryBranches(config, type, target)
  if (primary.length > 0) steps.push(creation(`authenticate_primary_${type}`, primary))
  const { secondary_authentication_mode: mode, recovery_code } = config.authentication
  if (mode !== 'required') return steps
  const secondary = secondaryBranches(config, type).map((branch): AuthenticateBranch => {
    return recovery_code.disabled ? branch : { ...branch, steps: [{ type: 'view_recovery_code' }] }
  })
  if (secondary.length > 0) steps.push(creation(`authenticate_secondary_${type}`, secondary))
  return steps
}

function creation(name: string, one_of: readonly AuthenticateBranch[]): CreateAuthenticatorStep {
  return { name, type: 'create_authenticator', one_of }
}

function generateLogin(config: AuthConfig): readonly Step[] {
  const name = 'login_identify'
  const branches = loginIdTypes(config).map((type): IdentifyBranch => {
    return { identification: type, steps: [loginStep(config, type, name)] }
  })
  return [
    { name, type: 'identify', one_of: [{ identification: 'select_account' }, ...branches] },
    { type: 'check_account_status' },
    { type: 'terminate_other_sessions' },
  ]
}

function loginStep(config: AuthConfig, type: LoginIdType, target: string): AuthenticateStep {
  const name = `authenticate_primary_${type}`
  const second = secondFactor(config, type)
  const one_of = primaryBranches(config, type, target).map((branch): AuthenticateBranch => {
    const isPassword = branch.authentication === 'primary_password'
    const change: readonly Step[] = isPassword
      ? [{ type: 'change_password', target_step: name }]
      : []
    return { ...branch, steps: [...second, ...change] }
  })
  return { name, type: 'authenticate', one_of }
}

function secondFactor(config: AuthConfig, type: LoginIdType): readonly Step[] {
  const { secondary_authentication_mode: mode, recovery_code, device_token } = config.authentication
  if (mode === 'disabled') return []
  const one_of = [
    ...secondaryBranches(config, type),
    ...(recovery_code.disabled ? [] : [{ authentication: 'recovery_code' }]),
    ...(device_token.disabled ? [] : [{ authentication: 'device_token' }]),
  ]
  const step = { name: `authenticate_secondary_${type}`, type: 'authenticate', one_of } as const
  return [mode === 'required' ? step : { ...step, optional: true }]
}

function generateSignupLogin(config: AuthConfig): readonly Step[] {
  const branches = loginIdTypes(config).map((type): IdentifyBranch => {
    return { identification: type, signup_flow: 'default', login_flow: 'default' }
  })
  const selecting = { identification: 'select_account', login_flow: 'default' }
  return [{ name: 'signup_login_identify', type: 'identify', one_of: [selecting, ...branches] }]
}

function generateRecovery(config: AuthConfig): readonly Step[] {
  const channels = {
    email: config.ui.forgot_password.email,
    phone: config.ui.forgot_password.phone,
  }
  const types = loginIdTypes(config)
  const one_of = (['email', 'phone'] as const).flatMap((type): readonly IdentifyBranch[] => {
    if (!types.includes(type)) return []
    const steps: readonly Step[] = [
      { type: 'select_destination', allowed_channels: channels[type] },
    ]
    return [{ identification: type, on_failure: 'ignore', steps }]
  })
  return [
    { type: 'identify', one_of },
    { type: 'verify_account_recovery_code' },
    { type: 'reset_password' },
  ]
}
