import type { LoadedAuthConfig } from '../config/config.ts'
import type { AuthenticateBranch, BranchBotProtection, Step } from '../config/flow-definition.ts'
import type { LoginIdType } from '../login-ids/login-id.ts'

/** The identifications of generated flows. */
export type OfferedIdentification = LoginIdType | 'oauth' | 'passkey' | 'ldap'

/** The first factors that each type of login ID can use. Second factors do not depend on the login ID. */
const primaryAuthenticators: Readonly<Record<LoginIdType, readonly string[]>> = {
  email: ['password', 'oob_otp_email', 'passkey'],
  phone: ['password', 'oob_otp_sms', 'passkey'],
  username: ['password', 'passkey'],
}

/**
 * The enabled identifications, in the order of the configuration. Each type of login ID appears once; all providers share one
 * identification.
 */
export function offeredIdentifications({
  authentication,
  identity,
}: LoadedAuthConfig): readonly OfferedIdentification[] {
  const types = identity.login_id.keys.map(({ type }) => type)
  const ways: Readonly<Record<string, readonly OfferedIdentification[]>> = {
    login_id: [...new Set(types)],
    oauth: identity.oauth.providers.length === 0 ? [] : ['oauth'],
    passkey: ['passkey'],
    ldap: identity.ldap.servers.length === 0 ? [] : ['ldap'],
  }
  return authentication.identities.flatMap((name) => ways[name] ?? [])
}

/** Whether an identification is a login ID. The others prove ownership themselves. */
export const isLoginId = (identification: OfferedIdentification): identification is LoginIdType =>
  identification !== 'oauth' && identification !== 'passkey' && identification !== 'ldap'

/** Whether a new login ID of a type must be verified. */
export function isVerifiedAtOnce(type: LoginIdType, { verification }: LoadedAuthConfig): boolean {
  const { email, phone_number } = verification.claims
  const claims = { email, phone: phone_number, username: undefined }
  const claim = claims[type]
  return claim?.enabled === true && claim.required
}

/** The first factors for a type of login ID. Codes go to the login ID of the step `target`. */
export function primaryBranches(
  config: LoadedAuthConfig,
  type: LoginIdType,
  target: string,
): readonly AuthenticateBranch[] {
  return config.authentication.primary_authenticators
    .filter((name) => primaryAuthenticators[type].includes(name))
    .map((name) => {
      const branch = branchOf('primary', name, config)
      return name.startsWith('oob_otp_') ? { ...branch, target_step: target } : branch
    })
}

/** All first factors or all second factors, in the order of the configuration. */
export function factorBranches(
  kind: 'primary' | 'secondary',
  config: LoadedAuthConfig,
): readonly AuthenticateBranch[] {
  const { primary_authenticators, secondary_authenticators } = config.authentication
  const names = { primary: primary_authenticators, secondary: secondary_authenticators }[kind]
  return names.map((name) => branchOf(kind, name, config))
}

/** Branches that send a code take the bot protection of the code everywhere. */
function branchOf(kind: string, name: string, config: LoadedAuthConfig): AuthenticateBranch {
  const sends = name === 'oob_otp_email' || name === 'oob_otp_sms'
  return { authentication: `${kind}_${name}`, ...(sends ? protection(config, [name]) : {}) }
}

type Requirement = keyof LoadedAuthConfig['bot_protection']['requirements']

/** The branch's bot protection by the strictest of some requirements. */
export function protection(
  { bot_protection: { enabled, requirements } }: LoadedAuthConfig,
  keys: readonly Requirement[],
): { readonly bot_protection?: BranchBotProtection } {
  const isRequired = enabled && keys.some((key) => requirements[key].mode === 'always')
  return isRequired ? { bot_protection: { mode: 'always' } } : {}
}

/** Nested steps of a branch; omitted if empty. */
export const nested = (steps: readonly Step[]): { readonly steps?: readonly Step[] } =>
  steps.length === 0 ? {} : { steps }
