import type { LoadedAuthConfig } from '../../config/config.ts'
import type { AuthenticateBranch, BranchBotProtection, Step } from '../../config/flow-definition.ts'
import type { LoginIdType } from '../../login-ids/login-id.ts'

/** By what people are known in flows that are generated. */
export type OfferedIdentification = LoginIdType | 'oauth' | 'passkey'

/** By what each type of login ID can be authenticated first. Beside a first factor, all can have any second one. */
const primaryAuthenticators: Readonly<Record<LoginIdType, readonly string[]>> = {
  email: ['password', 'oob_otp_email', 'passkey'],
  phone: ['password', 'oob_otp_sms', 'passkey'],
  username: ['password', 'passkey'],
}

/**
 * What the configuration enables, in its order. Login IDs stand for their types, each once; providers are one way in, however many
 * there are.
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
  }
  return authentication.identities.flatMap((name) => ways[name] ?? [])
}

/** Whether something is a login ID, as opposed to what shows by itself whose it is. */
export const isLoginId = (identification: OfferedIdentification): identification is LoginIdType =>
  identification !== 'oauth' && identification !== 'passkey'

/** Whether a new login ID of a type must be proven to be its owner's. */
export function isVerifiedAtOnce(type: LoginIdType, { verification }: LoadedAuthConfig): boolean {
  const { email, phone_number } = verification.claims
  const claims = { email, phone: phone_number, username: undefined }
  const claim = claims[type]
  return claim?.enabled === true && claim.required
}

/** The first factors that go with a type of login ID. Codes go to the login ID that the step `target` is about. */
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

/** All first factors or all second ones, in the order of the configuration. */
export function factorBranches(
  kind: 'primary' | 'secondary',
  config: LoadedAuthConfig,
): readonly AuthenticateBranch[] {
  const { primary_authenticators, secondary_authenticators } = config.authentication
  const names = { primary: primary_authenticators, secondary: secondary_authenticators }[kind]
  return names.map((name) => branchOf(kind, name, config))
}

/** Whatever sends a code is protected wherever it stands. */
function branchOf(kind: string, name: string, config: LoadedAuthConfig): AuthenticateBranch {
  const sends = name === 'oob_otp_email' || name === 'oob_otp_sms'
  return { authentication: `${kind}_${name}`, ...(sends ? protection(config, [name]) : {}) }
}

type Requirement = keyof LoadedAuthConfig['bot_protection']['requirements']

/** What the strictest of some requirements has a branch say. */
export function protection(
  { bot_protection: { enabled, requirements } }: LoadedAuthConfig,
  keys: readonly Requirement[],
): { readonly bot_protection?: BranchBotProtection } {
  const isRequired = enabled && keys.some((key) => requirements[key].mode === 'always')
  return isRequired ? { bot_protection: { mode: 'always' } } : {}
}

/** Steps to be nested in a branch; it has no list of none. */
export const nested = (steps: readonly Step[]): { readonly steps?: readonly Step[] } =>
  steps.length === 0 ? {} : { steps }
