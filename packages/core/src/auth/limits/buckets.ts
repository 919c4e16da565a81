import type {
  AttemptRateLimits,
  LoadedAuthConfig,
  OtpRateLimits,
  RateLimit,
} from '../config/config.ts'
import type { Channel, OtpForm } from '../config/flow-definition.ts'
import type { MessageKind, OtpPurpose } from '../flow/state.ts'
import type { FlowView } from '../flow/view.ts'
import { clientNetwork } from './client-network.ts'
import type { BucketUse } from './limit-questions.ts'

/** Attempts that are limited because the secret could be guessed. */
export type AttemptKind = 'password' | 'totp' | 'recovery_code' | 'device_token'

const attemptBucketNames: Readonly<Record<AttemptKind, string>> = {
  password: 'VerifyPassword',
  totp: 'VerifyTOTP',
  recovery_code: 'VerifyRecoveryCode',
  device_token: 'VerifyDeviceToken',
}

interface LimitNames {
  /** The `bucket_name` of errors. */
  readonly bucket: string
  readonly group: string
  readonly scope: 'per_ip' | 'per_user' | 'per_user_per_ip' | 'per_target' | undefined
}

function useOf(
  limit: RateLimit,
  { bucket, group, scope }: LimitNames,
  subject: readonly string[],
): readonly BucketUse[] {
  if (!limit.enabled) return []
  const name = scope === undefined ? group : `${group}.${scope}`
  const { period_ms, burst } = limit
  return [{ bucket, limit: { name, group }, subject, period_ms, burst }]
}

function attemptUses(
  limits: AttemptRateLimits,
  bucket: string,
  group: string,
  { ip, userId, knownTo }: AttemptAt,
): readonly BucketUse[] {
  return [
    ...useOf(limits.per_ip, { bucket: `${bucket}PerIP`, group, scope: 'per_ip' }, [
      clientNetwork(ip),
    ]),
    ...useOf(
      limits.per_user_per_ip,
      { bucket: `${bucket}PerUserPerIP`, group, scope: 'per_user_per_ip' },
      [userId, clientNetwork(ip)],
    ),
    ...ofUser(
      knownTo ?? userId,
      useOf(limits.per_user, { bucket: `${bucket}PerUser`, group, scope: 'per_user' }, [userId]),
    ),
  ]
}

/** The place and the subject of an attempt. */
interface AttemptAt {
  readonly ip: string
  /** The user, or a name that stands in. */
  readonly userId: string
  /** The user whose browsers have attempts of their own (default `userId`). */
  readonly knownTo?: string | undefined
}

/** Buckets that strangers can use up. Browsers that are known to the user have their own. */
const ofUser = (userId: string, uses: readonly BucketUse[]): readonly BucketUse[] =>
  uses.map((use) => ({ ...use, user_id: userId }))

/** What of a flow an attempt depends on. */
interface AttemptView {
  readonly config: LoadedAuthConfig
  readonly request: Pick<FlowView['request'], 'ip'>
}

/**
 * The cost of an attempt, spent before the check and refunded if it succeeds. If `userId` is a name that stands in for a user,
 * `knownTo` is the user of the request's session, if that user has the name.
 */
export function attemptBuckets(
  { config, request }: AttemptView,
  kind: AttemptKind,
  userId: string,
  knownTo?: string,
): readonly BucketUse[] {
  const limits = config.authentication.rate_limits[kind]
  const at = { ip: request.ip, userId, knownTo }
  const uses = attemptUses(limits, attemptBucketNames[kind], `authentication.${kind}`, at)
  return kind === 'totp' || kind === 'recovery_code' ? uses.map(resetByUser) : uses
}

/** A limit by account becomes one of failures in a row. */
const resetByUser = (use: BucketUse): BucketUse =>
  use.user_id === undefined ? use : { ...use, is_reset: true }

/** The cost of using a passkey, spent before the check and refunded if it succeeds. The user is not known yet. */
export function passkeyBuckets({ config, request }: FlowView): readonly BucketUse[] {
  const { per_ip: limit } = config.authentication.rate_limits.passkey
  const group = 'authentication.passkey'
  return useOf(limit, { bucket: 'VerifyPasskeyPerIP', group, scope: 'per_ip' }, [
    clientNetwork(request.ip),
  ])
}

/**
 * The cost of a look-up that may reveal whether an account exists, spent before it, so that an address over its limit learns
 * nothing more. Refunded unless the answer says that a user does not exist or, in a sign-up, that one does.
 */
export function enumerationBuckets({ config, request }: FlowView): readonly BucketUse[] {
  const { per_ip: limit } = config.authentication.rate_limits.account_enumeration
  const group = 'authentication.account_enumeration'
  return useOf(limit, { bucket: 'AccountEnumerationPerIP', group, scope: 'per_ip' }, [
    clientNetwork(request.ip),
  ])
}

/** The cost of a finished sign-up. */
export function signupBuckets(config: LoadedAuthConfig, ip: string): readonly BucketUse[] {
  const { per_ip: limit } = config.authentication.rate_limits.signup
  return useOf(limit, { bucket: 'SignupPerIP', group: 'authentication.signup', scope: 'per_ip' }, [
    clientNetwork(ip),
  ])
}

/** The cost of an anonymous user. */
export function anonymousSignupBuckets(config: LoadedAuthConfig, ip: string): readonly BucketUse[] {
  const { per_ip: limit } = config.authentication.rate_limits.signup_anonymous
  const group = 'authentication.signup_anonymous'
  return useOf(limit, { bucket: 'SignupAnonymousPerIP', group, scope: 'per_ip' }, [
    clientNetwork(ip),
  ])
}

const channelNames: Readonly<Record<Channel, string>> = {
  email: 'Email',
  sms: 'SMS',
  whatsapp: 'Whatsapp',
}

const purposeNames: Readonly<
  Record<OtpPurpose, { readonly bucket: string; readonly group: string }>
> = {
  verification: { bucket: 'Verification', group: 'verification' },
  oob_otp: { bucket: 'OOBOTP', group: 'authentication.oob_otp' },
  forgot_password: { bucket: 'ForgotPassword', group: 'forgot_password' },
}

/** The limits of codes for a purpose over a channel. WhatsApp counts as SMS. */
export function otpLimits(
  config: LoadedAuthConfig,
  purpose: OtpPurpose,
  channel: Channel,
): OtpRateLimits {
  const kind = channel === 'email' ? 'email' : 'sms'
  if (purpose === 'verification') return config.verification.rate_limits[kind]
  if (purpose === 'forgot_password') return config.forgot_password.rate_limits[kind]
  return config.authentication.rate_limits.oob_otp[kind]
}

interface OtpUse {
  readonly purpose: OtpPurpose
  readonly channel: Channel
  readonly ip: string
  /** `undefined` if the user is not known. */
  readonly userId: string | undefined
}

function otpNames(
  purpose: OtpPurpose,
  channel: Channel,
  act: 'trigger' | 'validate',
): { bucket: string; group: string } {
  const { bucket, group } = purposeNames[purpose]
  const kind = channel === 'email' ? 'email' : 'sms'
  const verb = act === 'trigger' ? 'Trigger' : 'Validate'
  return { bucket: `${bucket}${verb}${channelNames[channel]}`, group: `${group}.${kind}.${act}` }
}

/** The check of a code. */
type OtpCheck = OtpUse & {
  readonly target: string
  readonly form: OtpForm
  /** The account that the code signs in to or recovers. */
  readonly account_id: string | null
  /** Whether it is the first try of a code in the flow that it was sent for. Others cannot use that up. */
  readonly isFirst: boolean
}

/** So many times more codes may be tried for the first time in the flow that they were sent for than otherwise. */
const ownShare = 4

/** Of requests at once, one has the first try of a code. Later ones find the failure stored. */
export const firstTryOf = (codeId: string): BucketUse => ({
  bucket: 'FirstTryOfCode',
  subject: [codeId],
  period_ms: 60_000,
  burst: 1,
})

/** The cost of checking a code, spent before the check. */
export function otpValidateBuckets(
  config: LoadedAuthConfig,
  { purpose, channel, form, ip, userId, account_id, target, isFirst }: OtpCheck,
): readonly BucketUse[] {
  const limits = otpLimits(config, purpose, channel)
  const { bucket, group } = otpNames(purpose, channel, 'validate')
  const isSigningIn = purpose === 'oob_otp'
  const network = clientNetwork(ip)
  const perIp = [
    ...useOf(limits.validate_per_ip, { bucket: `${bucket}PerIP`, group, scope: 'per_ip' }, [
      network,
    ]),
    ...(isSigningIn && userId !== undefined
      ? useOf(
          limits.validate_per_user_per_ip,
          { bucket: `${bucket}PerUserPerIP`, group, scope: 'per_user_per_ip' },
          [userId, network],
        )
      : []),
  ]
  // The 32 characters of a link cannot be guessed, but strangers could use up its attempts.
  if (form === 'link') return perIp
  const { validate_per_user: limit } = limits
  const { period_ms, burst } = limit
  // An account recovery counts by address only; counting by user would reveal whether the account exists. So does a code that
  // proves an address: people with many accounts could try more codes.
  const account = isSigningIn ? (account_id ?? undefined) : undefined
  const perUser = useOf(
    isFirst ? { ...limit, burst: Math.min(ownShare * burst, period_ms) } : limit,
    { bucket: perUserBucket(purpose, channel), group, scope: 'per_user' },
    [...(account === undefined ? ['target', target] : [account]), ...(isFirst ? ['own'] : [])],
  ).map((use): BucketUse => ({ ...use, is_reset: true }))
  return [...perIp, ...(account === undefined ? perUser : ofUser(account, perUser))]
}

/** WhatsApp and SMS send the same codes to the same number. */
const perUserBucket = (purpose: OtpPurpose, channel: Channel): string =>
  `${otpNames(purpose, channel === 'email' ? 'email' : 'sms', 'validate').bucket}PerUser`

/**
 * The attempts that a finished recovery gives back, so that strangers do not keep its user out: at the password, which is a new
 * one, and at codes to the address, which the user has proven to have.
 */
export function recoveredBuckets(
  config: LoadedAuthConfig,
  { channel, target, userId, ip }: RecoveredBy,
): readonly BucketUse[] {
  const at = { channel, target, userId, ip, form: 'code', account_id: userId } as const
  const codes = (['oob_otp', 'forgot_password'] as const).flatMap((purpose) =>
    [false, true].flatMap((isFirst) => otpValidateBuckets(config, { ...at, purpose, isFirst })),
  )
  const uses = [...attemptBuckets({ config, request: { ip } }, 'password', userId), ...codes]
  const ofAddress = ({ limit }: BucketUse): boolean => limit?.name.endsWith('.per_ip') === true
  return uses.filter((use) => !ofAddress(use)).map((use) => ({ ...use, weight: use.burst }))
}

type RecoveredBy = Pick<OtpUse, 'channel' | 'ip'> & {
  readonly target: string
  readonly userId: string
}

/** The cost of sending a code. */
export function otpTriggerBuckets(
  config: LoadedAuthConfig,
  { purpose, channel, ip, userId }: OtpUse,
): readonly BucketUse[] {
  const limits = otpLimits(config, purpose, channel)
  const { bucket, group } = otpNames(purpose, channel, 'trigger')
  const perIp = useOf(limits.trigger_per_ip, { bucket: `${bucket}PerIP`, group, scope: 'per_ip' }, [
    clientNetwork(ip),
  ])
  if (userId === undefined || purpose === 'forgot_password') return perIp
  const names: LimitNames = { bucket: `${bucket}PerUser`, group, scope: 'per_user' }
  return [...perIp, ...ofUser(userId, useOf(limits.trigger_per_user, names, [userId]))]
}

/** Buckets of an address that strangers can use up. All browsers that are known to its account share others. */
const ofAccount = (id: string | null, uses: readonly BucketUse[]): readonly BucketUse[] =>
  id === null ? uses : uses.map((use) => ({ ...use, user_id: id, is_joint: true }))

/**
 * The cooldowns that sending a code starts: of the address, and of the flow, so that a flow does not walk through addresses. Second
 * factors have one of their own: their addresses are those of a user who has shown the first factor, and may have had its code.
 */
export function cooldownBuckets(
  config: LoadedAuthConfig,
  use: {
    readonly purpose: OtpPurpose
    readonly channel: Channel
    readonly target: string
    readonly message: MessageKind
    readonly flowId: string
    /** The account that the code signs in to or recovers. */
    readonly account_id: string | null
  },
): readonly BucketUse[] {
  const { purpose, channel, target, message, flowId, account_id } = use
  const isSecond = message === 'authenticate_secondary_oob'
  const period = otpLimits(config, purpose, channel).trigger_cooldown_ms
  const bucket = `${purposeNames[purpose].bucket}Cooldown${channelNames[channel]}`
  const cooldown = { period_ms: period, burst: 1 }
  return [
    ...ofAccount(account_id, [{ bucket, subject: [target], ...cooldown }]),
    {
      bucket: `${bucket}PerSession`,
      subject: isSecond ? [flowId, message] : [flowId],
      ...cooldown,
    },
  ]
}

/** The cost of a message that is actually sent. WhatsApp counts as SMS. */
export function messagingBuckets(
  config: LoadedAuthConfig,
  channel: Channel,
  ip: string,
  { target, account_id }: { readonly target: string; readonly account_id: string | null },
): readonly BucketUse[] {
  const limits = config.messaging.rate_limits
  const isEmail = channel === 'email'
  const kind = isEmail ? 'Email' : 'SMS'
  const group = isEmail ? 'messaging.email' : 'messaging.sms'
  const names = (suffix: string, scope: LimitNames['scope']): LimitNames => {
    return { bucket: `Messaging${kind}${suffix}`, group, scope }
  }
  return [
    ...useOf(isEmail ? limits.email_per_ip : limits.sms_per_ip, names('PerIP', 'per_ip'), [
      clientNetwork(ip),
    ]),
    ...ofAccount(
      account_id,
      useOf(
        isEmail ? limits.email_per_target : limits.sms_per_target,
        names('PerTarget', 'per_target'),
        [target],
      ),
    ),
    ...useOf(isEmail ? limits.email : limits.sms, names('', undefined), []),
  ]
}
