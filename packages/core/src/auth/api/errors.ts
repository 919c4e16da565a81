import * as z from 'zod'
import { ownFailureOf } from '../../http/own-api/failure-schema.ts'
import { flowState, flowType } from './flow-actions.ts'

const text: z.ZodString = z.string()

/** The catalogue of reasons, by which clients distinguish errors. */
export const authReasons = [
  // The request
  'ValidationFailed',
  'InvalidInput',
  'InvalidHistoryQuery',
  'BadRequest',
  'MethodNotAllowed',
  'NotFound',
  'InvalidQuery',
  'JSONTooLarge',
  'HTTPSRequired',
  'Forbidden',
  'NotAllowed',
  'TooManyRequest',
  'DataRace',
  'UnexpectedError',
  // The flow
  'AuthenticationFlowNotFound',
  'AuthenticationFlowFlowNotFound',
  'AuthenticationFlowStepNotFound',
  'AuthenticationFlowNotAllowed',
  'AuthenticationFlowNoPublicSignup',
  'AuthenticationFlowDifferentUserID',
  'AuthenticationFlowNoUserID',
  'AuthenticationFlowInvalidTargetStep',
  'SelectAccountSessionChanged',
  'InvariantViolated',
  'Invalid',
  // Secrets and codes
  'InvalidCredentials',
  'InvalidVerificationCode',
  'InvalidOTPCode',
  'PasswordPolicyViolated',
  'PasswordResetFailed',
  'ChangePasswordFailed',
  'ForgotPasswordFailed',
  'RateLimited',
  'AccountLockout',
  'BotProtectionVerificationFailed',
  'BotProtectionVerificationServiceUnavailable',
  'OTPDeliveryUnexpectedError',
  'SMSNotSupported',
  // Identity providers and passkeys
  'OAuthError',
  'ExternalJWTInvalidJWT',
  'ExternalJWTInvalidClaim',
  'ExternalJWTFailedToFetchJWKs',
  'LDAPError',
  'OAuthProtocolError',
  'OAuthProviderNotFound',
  'OAuthProviderMissingCredentials',
  'WebAuthnSessionNotFound',
  // Users and accounts
  'UserNotFound',
  'DisabledUser',
  'AnonymizedUser',
  'ScheduledDeletionByAdmin',
  'ScheduledDeletionByEndUser',
  'ScheduledAnonymizationByAdmin',
  'UserOutsideValidPeriod',
  'NotAuthenticated',
  'ReauthenticationRequired',
  'AccessControlViolated',
  'IdentityNotFound',
  'AuthenticatorNotFound',
  'SessionNotFound',
  // Hooks
  'HookDisallowed',
  'HookDeliveryTimeout',
  'HookInvalidResponse',
  'HookDeliveryUnknownFailure',
] as const

/** A cause of a refusal. */
const causes: Readonly<Record<string, z.ZodType>> = {
  validation: z
    .object({
      location: text.describe('A JSON pointer into the body or input.'),
      kind: text.describe('As `required`, `format` or `minLength`.'),
      details: z.record(text, z.unknown()).optional(),
    })
    .meta({ id: 'ValidationCause', description: 'What is wrong with a body or an input.' }),
  policy: z
    .object({
      Name: text.describe('As `PasswordTooShort`.'),
      Info: z.record(text, z.unknown()).optional(),
    })
    .meta({ id: 'PolicyCause', description: 'What a password lacks.' }),
}

const errorInfo: z.ZodType = z
  .object({
    FlowType: flowType.optional(),
    causes: z.array(z.union(Object.values(causes))).optional(),
    cause: z.looseObject({ kind: text }).optional().describe('The rule that forbids it.'),
    AuthenticationType: text.optional(),
    IdentityTypeIncoming: text.optional(),
    server_name: text.optional(),
    LoginIDTypeIncoming: text.optional(),
    OAuthProviderTypeIncoming: text.optional(),
    IdentityTypeExisting: text.optional(),
    LoginIDTypeExisting: text.optional(),
    OAuthProviderTypeExisting: text.optional(),
    ExistingIdentities: z.array(z.record(text, z.unknown())).optional(),
    OAuthProviderAlias: text.optional(),
    OAuthProviderType: text.optional(),
    provider_type: text.optional(),
    error: text.optional().describe('The error of an identity provider.'),
    error_description: text.optional(),
    error_uri: text.optional(),
    bucket_name: text.optional().describe('The rate limit.'),
    rate_limit: z.object({ name: text, group: text }).optional(),
    rate_limit_name: text.optional(),
    until: text.optional().describe('Of a lockout, RFC 3339.'),
    reason: text.optional().describe('Why the user is disabled.'),
    delete_at: text.optional(),
    anonymize_at: text.optional(),
    account_valid_from: text.optional(),
    account_valid_until: text.optional(),
    otp_form: text.optional(),
    event_type: text.optional().describe('The event that a hook refused.'),
    reasons: z
      .array(z.object({ title: text.optional(), reason: text.optional() }))
      .optional()
      .describe('Why a hook refused.'),
    target_step: text.optional(),
    limit: z.int().optional().describe('In bytes.'),
    path: text.optional().describe('Of a value that is not valid.'),
    expected: text.optional(),
    given: text.optional(),
    action: text.optional().describe('What the sender may not do.'),
  })
  .meta({
    id: 'AuthErrorInfo',
    description: 'Details of an error. Which ones are there depends on its reason.',
  })

const reason = z.enum(authReasons).meta({
  id: 'AuthReason',
  description: 'Why a request was refused. Hooks and custom kinds may add reasons of their own.',
})

const authError: z.ZodType = z
  .object({
    name: z.enum([
      'BadRequest',
      'Invalid',
      'Unauthorized',
      'Forbidden',
      'NotFound',
      'AlreadyExists',
      'DataRace',
      'RequestEntityTooLarge',
      'TooManyRequest',
      'InternalError',
      'ServiceUnavailable',
    ]),
    reason,
    message: text.describe('For developers, not for users.'),
    code: z.int().describe('The HTTP status.'),
    tracking_id: text.describe('Names the log line of the error.'),
    info: errorInfo.optional(),
  })
  .meta({ id: 'AuthError', description: 'A refusal.' })

export const authFailure: z.ZodType = z
  .object({
    error: authError,
    result: flowState.optional().describe('The state the request was made to, if known.'),
  })
  .meta({ id: 'AuthFailure', description: 'The answer to a refused request.' })

export const usersFailure: z.ZodType = ownFailureOf('UsersFailure', reason, errorInfo)
