import { type ErrorInfo, type ErrorKind, GatehouseError } from '../errors.ts'
import type { Json } from '../storage/storage.ts'

/** One cause of a failed validation of a body or an input. `location` is a JSON pointer into it. */
export interface ValidationCause {
  readonly location: string
  readonly kind: string
  readonly details?: { readonly [name: string]: Json }
}

/** A failure with the reason that clients distinguish errors by. */
export function authError(
  kind: ErrorKind,
  reason: string,
  message: string,
  info: ErrorInfo = {},
): GatehouseError {
  return new GatehouseError(kind, reason, message, { info })
}

/** A body, an input or a login ID is invalid. Causes are sorted by location. */
export function validationFailed(
  causes: readonly ValidationCause[],
  message = 'invalid value',
): GatehouseError {
  const sorted = [...causes].sort((a, b) =>
    a.location < b.location ? -1 : Number(a.location > b.location),
  )
  return authError('Invalid', 'ValidationFailed', message, { causes: sorted })
}

/** A login ID is invalid, or may not be taken. */
export const invalidLoginId = (cause: ValidationCause | undefined): GatehouseError =>
  validationFailed(cause === undefined ? [] : [cause], 'invalid login ID')

/** A rule about users forbids the operation; `cause` names the rule. */
export function invariantViolated(
  cause: string,
  message: string,
  info: ErrorInfo = {},
): GatehouseError {
  return authError('Invalid', 'InvariantViolated', message, { ...info, cause: { kind: cause } })
}

/** A secret was wrong. `type`: `password`, `totp`, `oob_otp_email`, `oob_otp_sms`, `recovery_code`, … */
export const invalidCredentials = (type: string): GatehouseError =>
  authError('Unauthorized', 'InvalidCredentials', 'invalid credentials', {
    AuthenticationType: type,
  })

/** The token of a state is invalid or expired, or its flow has ended. */
export const flowNotFound = (): GatehouseError =>
  authError('NotFound', 'AuthenticationFlowNotFound', 'flow not found')

/** The session that a flow was to continue has ended, or is a different one now. */
export const sessionChanged = (): GatehouseError =>
  authError('Unauthorized', 'SelectAccountSessionChanged', 'the session has ended or changed')

/** Reasons of errors that are not about a flow. */
export const reasonsWithoutFlow: ReadonlySet<string> = new Set([
  'SelectAccountSessionChanged',
  'AuthenticationFlowNotFound',
  'HookDeliveryTimeout',
  'HookDeliveryUnknownFailure',
  'HookInvalidResponse',
])

/** No user has the identity that `names` describe. */
export const userNotFound = (names: ErrorInfo): GatehouseError =>
  authError('NotFound', 'UserNotFound', 'user not found', names)

/** The user has no identity with this id. */
export const identityNotFound = (): GatehouseError =>
  authError('NotFound', 'IdentityNotFound', 'identity not found')

/** The configuration forbids changes to identities of this kind. */
export const modifyDisabled = (): GatehouseError =>
  invariantViolated('IdentityModifyDisabled', 'identities of this kind cannot be changed so')

/** The user already has such an authenticator, or another user has the same one. */
export const authenticatorTaken = (): GatehouseError =>
  invariantViolated('DuplicatedAuthenticator', 'authenticator already exists')

/** The password cannot be changed: the new one is in use, or the user has none. */
export const changePasswordFailed = (cause: 'PasswordReused' | 'NoPassword'): GatehouseError => {
  const messages = {
    PasswordReused: 'the password is the one in use',
    NoPassword: 'there is no password',
  }
  return authError('Invalid', 'ChangePasswordFailed', messages[cause], { cause: { kind: cause } })
}

/** A step or the end of a flow needs a user, and no step has identified one. */
export const noUserId = (): GatehouseError =>
  authError('BadRequest', 'AuthenticationFlowNoUserID', 'no step has identified a user')

/** A step refers to a step that the flow has not entered. */
export const stepNotFound = (target: string): GatehouseError =>
  authError('NotFound', 'AuthenticationFlowStepNotFound', `no step named "${target}" was entered`)

/** A step refers to a step of the wrong kind. */
export const invalidTargetStep = (target: string): GatehouseError =>
  authError(
    'InternalError',
    'AuthenticationFlowInvalidTargetStep',
    `the step "${target}" cannot serve here`,
    { target_step: target },
  )

/** A step offers nothing to a user who must pass it. */
export const noAuthenticator = (): GatehouseError =>
  invariantViolated('NoAuthenticator', 'no authenticator')

/** A part of the service that a transaction of the app cannot hold. */
export const inTransaction = (what: string): TypeError =>
  new TypeError(`use ${what} of the service itself: withStorage() made this one for a transaction`)
