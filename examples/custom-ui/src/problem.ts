import type { FlowInput } from './flow-client.ts'
import type { ApiError, PolicyCause, ValidationCause } from './protocol.ts'

/** A problem in a form that fits into a cookie. `words.ts` has the sentences. */
export interface Problem {
  /** The key of its sentence. */
  readonly code: string
  /** The form field with the problem. */
  readonly field?: string
  /** The number in the sentence: characters, or seconds to wait. */
  readonly amount?: number
}

/** The form field of each kind of secret. */
const secretFields: Readonly<Record<string, string>> = {
  password: 'password',
  totp: 'code',
  oob_otp_email: 'code',
  oob_otp_sms: 'code',
  recovery_code: 'recovery_code',
}

/** The problems of an input, from the reason of the error. The message is for programmers and is not used. */
export function problemsOf(
  { reason, info = {} }: ApiError,
  input: FlowInput = {},
  retryAfterSeconds?: number,
): readonly Problem[] {
  const { causes = [], cause, AuthenticationType: type = '' } = info
  switch (reason) {
    case 'ValidationFailed':
      return distinct(causes.filter(isValidationCause).map((one) => validationProblem(one, input)))
    case 'PasswordPolicyViolated':
      return causes.filter(isPolicyCause).map(policyProblem)
    case 'InvalidCredentials':
      if (input.check === true) return [problem('LinkNotOpened')]
      return [problem(`${reason}.${type}`, secretFields[type])]
    case 'InvalidVerificationCode':
      return input.check === true ? [problem('LinkNotOpened')] : [problem(reason, 'code')]
    case 'UserNotFound':
      return [
        problem(info.IdentityTypeIncoming === 'oauth' ? 'UserNotFound.oauth' : reason, 'login_id'),
      ]
    case 'InvariantViolated':
      return [problem(cause?.kind ?? reason, 'login_id')]
    case 'PasswordResetFailed':
      return [problem(`${reason}.${cause?.kind}`, 'account_recovery_code')]
    case 'ChangePasswordFailed':
      return [problem(`${reason}.${cause?.kind}`, 'new_password')]
    case 'OAuthError':
      return [problem(info.error === 'access_denied' ? 'OAuthError.access_denied' : reason)]
    case 'RateLimited':
      if (info.bucket_name === 'TrackFailedOTPAttemptBucket') return [problem('CodeIsDead', 'code')]
      return [
        waiting(/Cooldown/.test(info.bucket_name ?? '') ? 'Cooldown' : reason, retryAfterSeconds),
      ]
    case 'AccountLockout':
    case 'TooManyRequest':
      return [waiting(reason, retryAfterSeconds)]
    default:
      return [problem(reason)]
  }
}

function problem(code: string, field?: string): Problem {
  return field === undefined ? { code } : { code, field }
}

function waiting(code: string, seconds: number | undefined): Problem {
  return seconds === undefined ? { code } : { code: `${code}.wait`, amount: seconds }
}

function isPolicyCause(cause: ValidationCause | PolicyCause): cause is PolicyCause {
  return 'Name' in cause
}

function isValidationCause(cause: ValidationCause | PolicyCause): cause is ValidationCause {
  return !isPolicyCause(cause)
}

function policyProblem({ Name, Info = {} }: PolicyCause): Problem {
  const amount = Info.min_length ?? Info.max_length
  const found = problem(Name, 'new_password')
  return amount === undefined ? found : { ...found, amount }
}

/** A location is a JSON pointer into the input: `/login_id`, `/attributes/0/value`. */
function validationProblem(
  { location, kind, details }: ValidationCause,
  input: FlowInput,
): Problem {
  const [, member = '', index = '', part] = location.split('/')
  if (member === '') return { code: 'ValidationFailed' }
  if (member !== 'attributes') {
    const { format, reason } = details ?? {}
    return problem(`${member}.${format ?? reason ?? kind}`, member)
  }
  const { attributes } = input
  const given: unknown = Array.isArray(attributes) ? attributes[Number(index)] : undefined
  if (part !== 'value' || !hasPointer(given)) return { code: 'attributes.required' }
  return problem('attributes.format', given.pointer)
}

function hasPointer(value: unknown): value is { pointer: string } {
  return typeof value === 'object' && value !== null && 'pointer' in value
}

/** The service lists a problem for each way of reading an input, so equal ones are merged. */
function distinct(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((one) => [`${one.code} ${one.field}`, one])).values()]
}
