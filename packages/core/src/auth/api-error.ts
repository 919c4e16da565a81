import { type ErrorInfo, type ErrorKind, isGatehouseError } from '../errors.ts'
import { statusOf } from '../http/status.ts'

/** An error as clients see it. */
export interface ApiError {
  readonly name: string
  readonly reason: string
  readonly message: string
  readonly code: number
  readonly info?: ErrorInfo
}

/** What clients call a kind of failure. */
const names: Readonly<Record<ErrorKind, string>> = {
  BadRequest: 'BadRequest',
  Invalid: 'Invalid',
  Unauthorized: 'Unauthorized',
  Forbidden: 'Forbidden',
  NotFound: 'NotFound',
  Conflict: 'DataRace',
  AlreadyExists: 'AlreadyExists',
  TooLarge: 'RequestEntityTooLarge',
  TooManyRequest: 'TooManyRequest',
  InternalError: 'InternalError',
  ServiceUnavailable: 'ServiceUnavailable',
}

const unexpected: ApiError = {
  name: 'InternalError',
  reason: 'UnexpectedError',
  message: 'unexpected error occurred',
  code: 500,
}

/** Failures of what the service stands on, of which clients learn no more than they can act on. */
const ofStorage: ReadonlyMap<string, ApiError> = new Map([
  [
    'StorageConflict',
    {
      name: 'DataRace',
      reason: 'DataRace',
      message: 'the data has changed meanwhile; try again',
      code: 409,
    },
  ],
  [
    'DecisionQueueFull',
    {
      name: 'TooManyRequest',
      reason: 'TooManyRequest',
      message: 'too many requests at once',
      code: 429,
    },
  ],
  ['StorageUnavailable', unexpected],
  ['StorageClosed', unexpected],
])

/**
 * Any failure as clients see it. What is not expected says nothing of its cause.
 *
 * @see Authentication Flow API, errors
 */
export function toApiError(error: unknown): ApiError {
  if (!isGatehouseError(error)) return unexpected
  const { kind, reason, message, info } = error
  const known = ofStorage.get(reason)
  if (known !== undefined) return known
  // How long to wait is a header's.
  const { retryAfterSeconds: _seconds, ...told } = info
  const code = reason === 'MethodNotAllowed' ? 405 : statusOf(kind)
  const api = { name: names[kind], reason, message, code }
  return Object.keys(told).length === 0 ? api : { ...api, info: told }
}

/** Whether a failure is for those who run the service, who find it in the log. */
export function isFault(error: unknown): boolean {
  if (!isGatehouseError(error)) return true
  return error.kind === 'ServiceUnavailable' || error.reason === 'OTPDeliveryUnexpectedError'
}

/** In how many seconds another try has a chance, where an error says so. */
export function retryAfter(error: unknown): number | undefined {
  const seconds = isGatehouseError(error) ? error.info.retryAfterSeconds : undefined
  return typeof seconds === 'number' ? seconds : undefined
}
