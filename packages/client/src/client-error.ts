import type {
  AlertsReason,
  AuthErrorInfo,
  AuthReason,
  WebhookErrorCode,
  WebhookFailure,
} from './types.ts'

/** Reasons of errors whose answer names none: the status of the answer, or that there was no sound one. */
export type HttpReason =
  | 'InvalidRequest'
  | 'Unauthorized'
  | 'NotAllowed'
  | 'NotFound'
  | 'TooLarge'
  | 'TooManyRequests'
  | 'ServerError'
  | 'Unreachable'
  | 'UnexpectedAnswer'

/** Every reason for which a call can fail. */
export type ErrorReason = AlertsReason | AuthReason | WebhookErrorCode | HttpReason

/** What is known of a failure. */
export interface Failure {
  readonly reason: ErrorReason
  readonly message: string
  readonly status?: number
  readonly info?: AuthErrorInfo
  readonly body?: unknown
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
}

/** A call that failed. Programs distinguish failures by `reason`; `message` is for developers. */
export class GatehouseClientError extends Error {
  override readonly name = 'GatehouseClientError'
  readonly reason: ErrorReason
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number
  /** Details of a refusal by the sign-in service, such as the causes of `ValidationFailed`. */
  readonly info: AuthErrorInfo
  /** The body of the answer: JSON or text. For a run that failed see {@link runOf}. */
  readonly body: unknown
  /** Seconds after which a retry may succeed, if known. */
  readonly retryAfterSeconds: number | undefined

  constructor(failure: Failure) {
    super(failure.message, { cause: failure.cause })
    this.reason = failure.reason
    this.status = failure.status ?? 0
    this.info = failure.info ?? {}
    this.body = failure.body
    this.retryAfterSeconds = failure.retryAfterSeconds
  }
}

/** Whether a failure is one of a call, for one of these reasons if any are given. */
export function isClientError(
  error: unknown,
  ...reasons: readonly ErrorReason[]
): error is GatehouseClientError {
  const { name, reason } = Object(error) as Partial<GatehouseClientError>
  if (name !== 'GatehouseClientError' || reason === undefined) return false
  return reasons.length === 0 || reasons.includes(reason)
}

const byStatus: Readonly<Record<number, HttpReason>> = {
  401: 'Unauthorized',
  403: 'NotAllowed',
  404: 'NotFound',
  413: 'TooLarge',
  429: 'TooManyRequests',
}

interface ErrorBody extends Partial<Omit<WebhookFailure, 'reason'>> {
  readonly reason?: AlertsReason | AuthReason
  readonly info?: AuthErrorInfo
  readonly error?: { reason: AuthReason; message: string; info?: AuthErrorInfo } & string
}

/** The failure that an answer reports. */
export function failureOf(status: number, body: unknown, retryAfter: string | null): Failure {
  const { error, code, reason, message, info } = Object(body) as ErrorBody
  const seconds = Number(retryAfter)
  const common = { status, body, ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}) }
  if (typeof error === 'object') {
    const { reason, message, info = {} } = error
    return { reason, message, info, ...common }
  }
  if (code === undefined && typeof reason === 'string' && message !== undefined) {
    return { reason, message, ...(info === undefined ? {} : { info }), ...common }
  }
  if (typeof code === 'string' && message !== undefined) return { reason: code, message, ...common }
  return {
    reason: byStatus[status] ?? (status < 500 ? 'InvalidRequest' : 'ServerError'),
    message: message ?? (typeof body === 'string' && body !== '' ? body : `status ${status}`),
    ...common,
  }
}
