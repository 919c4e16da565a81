import type { LoadedAuthConfig } from '../config/config.ts'
import type {
  AuthenticateBranch,
  CreateAuthenticatorStep,
  IdentifyBranch,
  Step,
} from '../config/flow-definition.ts'
import type { LoginIdType } from '../login-ids/login-id.ts'
import {
  factorBranches,
  isLoginId,
  isVerifiedAtOnce,
  nested,
  type OfferedIdentification,
  offeredIdentifications,
  primaryBranches,
  protection,
} from './generated-branches.ts'

/** The steps of a sign-up. `name` is that of the first step. */
export function generateSignUp(config: LoadedAuthConfig, name: string): readonly Step[] {
  const one_of = offeredIdentifications(config)
    .filter((identification) => identification !== 'passkey')
    .map((identification): IdentifyBranch => {
      return {
        identification,
        ...signUpProtection(config, identification),
        ...nested(stepsBehind(config, identification, name)),
      }
    })
  return [{ name, type: 'identify', one_of }, ...promptPasskey(config)]
}

/** The bot protection of a sign-up branch. A login ID that is verified at once also sends a message at once. */
export function signUpProtection(
  config: LoadedAuthConfig,
  identification: OfferedIdentification,
): ReturnType<typeof protection> {
  if (!isLoginId(identification)) return {}
  const codes = { email: 'oob_otp_email', phone: 'oob_otp_sms', username: undefined } as const
  const code = isVerifiedAtOnce(identification, config) ? codes[identification] : undefined
  return protection(config, ['signup_or_login', ...(code === undefined ? [] : [code])])
}

/** Offers a passkey if users can sign in by one. */
export function promptPasskey({ authentication }: LoadedAuthConfig): readonly Step[] {
  const hasPasskeys = authentication.primary_authenticators.includes('passkey')
  return hasPasskeys ? [{ type: 'prompt_create_passkey' }] : []
}

function stepsBehind(
  config: LoadedAuthConfig,
  identification: OfferedIdentification,
  target: string,
): readonly Step[] {
  const second = createSecond(config, identification)
  if (isLoginId(identification)) {
    return [...verifyAndCreateFirst(config, identification, target), ...second]
  }
  // If every login requires a second factor, the sign-up must create one.
  const isApplied = config.authentication.secondary_applies_to.includes(identification)
  return identification === 'ldap' || isApplied ? second : []
}

function verifyAndCreateFirst(
  config: LoadedAuthConfig,
  type: LoginIdType,
  target: string,
): readonly Step[] {
  const verify: readonly Step[] = isVerifiedAtOnce(type, config)
    ? [{ type: 'verify', target_step: target }]
    : []
  // A passkey is offered at the end, after the authenticators created here.
  const first = primaryBranches(config, type, target).filter(
    ({ authentication }) => authentication !== 'primary_passkey',
  )
  return [...verify, ...creation(`authenticate_primary_${type}`, first)]
}

function createSecond(
  config: LoadedAuthConfig,
  identification: OfferedIdentification,
): readonly CreateAuthenticatorStep[] {
  const { secondary_authentication_mode: mode, recovery_code } = config.authentication
  if (mode !== 'required') return []
  const codes: readonly Step[] = recovery_code.disabled ? [] : [{ type: 'view_recovery_code' }]
  const one_of = factorBranches('secondary', config).map((branch) => ({
    ...branch,
    ...nested(codes),
  }))
  return creation(`authenticate_secondary_${identification}`, one_of)
}

const creation = (
  name: string,
  one_of: readonly AuthenticateBranch[],
): readonly CreateAuthenticatorStep[] =>
  one_of.length === 0 ? [] : [{ name, type: 'create_authenticator', one_of }]
