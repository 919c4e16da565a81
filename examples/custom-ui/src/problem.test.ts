import { expect, it } from 'vitest'
import { problemsOf } from './problem.ts'
import type { ApiError, ErrorInfo } from './protocol.ts'
import { wait, wordsOf } from './words.ts'

const unexplained = wordsOf({ code: 'no code at all' })

const sentencesFor = (
  reason: string,
  info: ErrorInfo = {},
  seconds?: number,
): readonly string[] => {
  const error: ApiError = { reason, message: 'for programs', code: 400, info }
  return problemsOf(error, {}, seconds).map(wordsOf)
}

it.each<[reason: string, info?: ErrorInfo, seconds?: number]>([
  ...['password', 'totp', 'oob_otp_email', 'oob_otp_sms', 'recovery_code', 'passkey'].map(
    (type): [string, ErrorInfo] => ['InvalidCredentials', { AuthenticationType: type }],
  ),
  ['InvalidVerificationCode'],
  ['UserNotFound'],
  ['UserNotFound', { IdentityTypeIncoming: 'oauth' }],
  ['InvariantViolated', { cause: { kind: 'DuplicatedIdentity' } }],
  ['InvariantViolated', { cause: { kind: 'NoAuthenticator' } }],
  ['PasswordResetFailed', { cause: { kind: 'InvalidCode' } }],
  ['PasswordResetFailed', { cause: { kind: 'UsedCode' } }],
  ['ChangePasswordFailed', { cause: { kind: 'PasswordReused' } }],
  ['ForgotPasswordFailed', { cause: { kind: 'FeatureDisabled' } }],
  ['OAuthError', { error: 'access_denied' }],
  ['OAuthError', { error: 'server_error' }],
  ['OAuthProtocolError'],
  ['OAuthProviderMissingCredentials'],
  ['SelectAccountSessionChanged'],
  ['AuthenticationFlowDifferentUserID'],
  ['AuthenticationFlowNoPublicSignup'],
  ['AuthenticationFlowNotAllowed'],
  ['HookDisallowed'],
  ['DisabledUser'],
  ['ScheduledDeletionByAdmin'],
  ['ScheduledDeletionByEndUser'],
  ['ScheduledAnonymizationByAdmin'],
  ['AnonymizedUser'],
  ['UserOutsideValidPeriod'],
  ['SMSNotSupported'],
  ['OTPDeliveryUnexpectedError'],
  ['RateLimited', { bucket_name: 'VerifyPasswordPerIP' }],
  ['RateLimited', { bucket_name: 'VerifyPasswordPerIP' }, 5],
  ['RateLimited', { bucket_name: 'VerificationCooldownEmail' }],
  ['RateLimited', { bucket_name: 'OOBOTPCooldownSMSPerSession' }, 5],
  ['RateLimited', { bucket_name: 'TrackFailedOTPAttemptBucket' }],
  ['TooManyRequest'],
  ['TooManyRequest', {}, 5],
  ['AccountLockout'],
  ['AccountLockout', {}, 5],
  ['ValidationFailed', { causes: [{ location: '', kind: 'required' }] }],
  ...['email', 'phone', 'username'].map((format): [string, ErrorInfo] => [
    'ValidationFailed',
    { causes: [{ location: '/login_id', kind: 'format', details: { format } }] },
  ]),
  ...['BlockPlusSign', 'UsernameReserved', 'UsernameExcludedKeywords'].map(
    (reason): [string, ErrorInfo] => [
      'ValidationFailed',
      { causes: [{ location: '/login_id', kind: 'blocked', details: { reason } }] },
    ],
  ),
  [
    'PasswordPolicyViolated',
    {
      causes: ['Uppercase', 'Lowercase', 'Alphabet', 'Digit', 'Symbol'].map((what) => ({
        Name: `Password${what}Required`,
      })),
    },
  ],
])('there are words for %s %j', (reason, info, seconds) => {
  const sentences = sentencesFor(reason, info, seconds)
  expect(sentences).not.toEqual([])
  expect(sentences).not.toContain(unexplained)
})

it('an unknown reason gets a general sentence, without the message', () => {
  expect(sentencesFor('SomethingNew')).toEqual([unexplained])
  expect(sentencesFor('toString')).toEqual([unexplained])
})

it('lists several problems of one field once', () => {
  const cause = { location: '/login_id', kind: 'required' }
  expect(sentencesFor('ValidationFailed', { causes: [cause, cause] })).toEqual(['Fill this in.'])
})

it.each([
  [1, 'one second'],
  [59, '59 seconds'],
  [60, 'one minute'],
  [61, '2 minutes'],
])('%d seconds are %s', (seconds, words) => {
  expect(wait(seconds)).toBe(words)
})
