import type { LoadedAuthConfig } from '../../config/config.ts'
import type {
  AuthenticateBranch,
  CreateAuthenticatorStep,
  IdentifyBranch,
  Step,
} from '../../config/flow-definition.ts'
import type { LoginIdType } from '../../login-ids/login-id.ts'
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

/** The steps by which somebody gets an account. `name` is that of the first one. */
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

/** What keeps machines from signing up. A login ID that is verified at once has a message sent at once. */
export function signUpProtection(
  config: LoadedAuthConfig,
  identification: OfferedIdentification,
): ReturnType<typeof protection> {
  if (!isLoginId(identification)) return {}
  const codes = { email: 'oob_otp_email', phone: 'oob_otp_sms', username: undefined } as const
  const code = isVerifiedAtOnce(identification, config) ? codes[identification] : undefined
  return protection(config, ['signup_or_login', ...(code === undefined ? [] : [code])])
}

/** Offers a passkey where people can sign in by one. */
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
  // Whoever must show a second factor at each login needs one from the beginning.
  return config.authentication.secondary_applies_to.includes(identification) ? second : []
}

function verifyAndCreateFirst(
  config: LoadedAuthConfig,
  type: LoginIdType,
  target: string,
): readonly Step[] {
  const verify: readonly Step[] = isVerifiedAtOnce(type, config)
    ? [{ type: 'verify', target_step: target }]
    : []
  // A passkey is offered at the end, beside what was created here.
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
