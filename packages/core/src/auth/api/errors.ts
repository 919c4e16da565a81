import * as z from 'zod/mini'
import { type ApiSchema, described, named, namedObject, text } from '../../http/api/schema.ts'
import { ownFailureOf } from '../../http/own-api/failure-schema.ts'
import { flowState, flowType } from './flow-actions.ts'

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
  'AccountDeletionDisabled',
  'IdentityNotFound',
  'AuthenticatorNotFound',
  'SessionNotFound',
  'Impersonated',
  'ImpersonationForbidden',
  'InvitationNotFound',
  'InvitationExists',
  'InvitationsDisabled',
  'InvitationNotSent',
  // Tokens
  'InvalidToken',
  'TokensDisabled',
  // API keys
  'ApiKeysDisabled',
  'ApiKeyNotFound',
  'ApiKeyLimitReached',
  'InsufficientScope',
  // Apps
  'AppNotFound',
  // Hooks
  'HookDisallowed',
  'HookDeliveryTimeout',
  'HookInvalidResponse',
  'HookDeliveryUnknownFailure',
] as const

/** A cause of a refusal. */
const causes: Readonly<Record<string, ApiSchema>> = {
  validation: namedObject('ValidationCause', 'What is wrong with a body or an input.', {
    location: described(text, 'A JSON pointer into the body or input.'),
    kind: described(text, 'As `required`, `format` or `minLength`.'),
    details: z.optional(z.record(text, z.unknown())),
  }),
  policy: namedObject('PolicyCause', 'What a password lacks.', {
    Name: described(text, 'As `PasswordTooShort`.'),
    Info: z.optional(z.record(text, z.unknown())),
  }),
}

const errorInfo: ApiSchema = namedObject(
  'AuthErrorInfo',
  'Details of an error. Which ones are there depends on its reason.',
  {
    FlowType: z.optional(flowType),
    causes: z.optional(z.array(z.union(Object.values(causes)))),
    cause: described(z.optional(z.looseObject({ kind: text })), 'The rule that forbids it.'),
    AuthenticationType: z.optional(text),
    IdentityTypeIncoming: z.optional(text),
    server_name: z.optional(text),
    LoginIDTypeIncoming: z.optional(text),
    OAuthProviderTypeIncoming: z.optional(text),
    IdentityTypeExisting: z.optional(text),
    LoginIDTypeExisting: z.optional(text),
    OAuthProviderTypeExisting: z.optional(text),
    ExistingIdentities: z.optional(z.array(z.record(text, z.unknown()))),
    OAuthProviderAlias: z.optional(text),
    OAuthProviderType: z.optional(text),
    provider_type: z.optional(text),
    error: described(z.optional(text), 'The error of an identity provider.'),
    error_description: z.optional(text),
    error_uri: z.optional(text),
    bucket_name: described(z.optional(text), 'The rate limit.'),
    rate_limit: z.optional(z.object({ name: text, group: text })),
    rate_limit_name: z.optional(text),
    until: described(z.optional(text), 'Of a lockout, RFC 3339.'),
    reason: described(z.optional(text), 'Why the user is disabled.'),
    delete_at: z.optional(text),
    anonymize_at: z.optional(text),
    account_valid_from: z.optional(text),
    account_valid_until: z.optional(text),
    otp_form: z.optional(text),
    event_type: described(z.optional(text), 'The event that a hook refused.'),
    reasons: described(
      z.optional(z.array(z.object({ title: z.optional(text), reason: z.optional(text) }))),
      'Why a hook refused.',
    ),
    target_step: z.optional(text),
    limit: described(z.optional(z.int()), 'In bytes.'),
    path: described(z.optional(text), 'Of a value that is not valid.'),
    expected: z.optional(text),
    given: z.optional(text),
    action: described(z.optional(text), 'What the sender may not do.'),
    missing: described(
      z.optional(z.array(text)),
      'The `amr` values to show again, or the scopes that an API key lacks.',
    ),
    pointer: described(z.optional(text), 'Of an attribute that the user may not change.'),
  },
)

const reason = named(
  'AuthReason',
  'Why a request was refused. Hooks and custom kinds may add reasons of their own.',
  z.enum(authReasons),
)

const authError: ApiSchema = namedObject('AuthError', 'A refusal.', {
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
  message: described(text, 'For developers, not for users.'),
  code: described(z.int(), 'The HTTP status.'),
  tracking_id: described(text, 'Names the log line of the error.'),
  info: z.optional(errorInfo),
})

export const authFailure: ApiSchema = namedObject(
  'AuthFailure',
  'The answer to a refused request.',
  {
    error: authError,
    result: described(z.optional(flowState), 'The state the request was made to, if known.'),
  },
)

export const usersFailure: ApiSchema = ownFailureOf('UsersFailure', reason, errorInfo)
