import { type ErrorInfo, type ErrorKind, GatehouseError } from '../errors.ts'
import type { Json } from '../storage/storage.ts'

/** One leaf of what is wrong with a body or an input. `location` is a JSON pointer into it. */
export interface ValidationCause {
  readonly location: string
  readonly kind: string
  readonly details?: { readonly [name: string]: Json }
}

/** A failure with the reason that clients tell errors apart by. */
export function authError(
  kind: ErrorKind,
  reason: string,
  message: string,
  info: ErrorInfo = {},
): GatehouseError {
  return new GatehouseError(kind, reason, message, { info })
}

/** A body, an input or a login ID does not fit. Causes are sorted by location. */
export function validationFailed(
  causes: readonly ValidationCause[],
  message = 'invalid value',
): GatehouseError {
  const sorted = [...causes].sort((a, b) =>
    a.location < b.location ? -1 : Number(a.location > b.location),
  )
  return authError('Invalid', 'ValidationFailed', message, { causes: sorted })
}

/** Something about users does not allow it; `cause` says what. */
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

/** The token of a state is invalid or expired, or its flow is over. */
export const flowNotFound = (): GatehouseError =>
  authError('NotFound', 'AuthenticationFlowNotFound', 'flow not found')

/** The session that a flow was to go on with has ended, or is another one by now. */
export const sessionChanged = (): GatehouseError =>
  authError('Unauthorized', 'SelectAccountSessionChanged', 'the session has ended or changed')

/** Reasons of errors that name no flow. */
export const reasonsWithoutFlow: ReadonlySet<string> = new Set([
  'SelectAccountSessionChanged',
  'AuthenticationFlowNotFound',
])

/** Nobody has the identity; `names` say which. */
export const userNotFound = (names: ErrorInfo): GatehouseError =>
  authError('NotFound', 'UserNotFound', 'user not found', names)

/** The user has no identity of this id. */
export const identityNotFound = (): GatehouseError =>
  authError('NotFound', 'IdentityNotFound', 'identity not found')

/** The configuration keeps identities of this kind as they are. */
export const modifyDisabled = (): GatehouseError =>
  invariantViolated('IdentityModifyDisabled', 'identities of this kind cannot be changed so')

/** The user has one like it, or somebody has the very one. */
export const authenticatorTaken = (): GatehouseError =>
  invariantViolated('DuplicatedAuthenticator', 'authenticator already exists')

/** A password cannot be changed: the new one is the one in use, or there is none. */
export const changePasswordFailed = (cause: 'PasswordReused' | 'NoPassword'): GatehouseError => {
  const messages = {
    PasswordReused: 'the password is the one in use',
    NoPassword: 'there is no password',
  }
  return authError('Invalid', 'ChangePasswordFailed', messages[cause], { cause: { kind: cause } })
}

/** A step refers to one that was not entered. */
export const stepNotFound = (target: string): GatehouseError =>
  authError('NotFound', 'AuthenticationFlowStepNotFound', `no step named "${target}" was entered`)

/** A step refers to one of the wrong kind. */
export const invalidTargetStep = (target: string): GatehouseError =>
  authError(
    'InternalError',
    'AuthenticationFlowInvalidTargetStep',
    `the step "${target}" cannot serve here`,
    { target_step: target },
  )

/** A step has nothing to offer to a user who must pass it. */
export const noAuthenticator = (): GatehouseError =>
  invariantViolated('NoAuthenticator', 'no authenticator')
