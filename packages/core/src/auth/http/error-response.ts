import { type ErrorKind, isGatehouseError } from '../../errors.ts'
import { type Answer, textAnswer } from '../../http/answer.ts'
import { statusOf } from '../../http/status.ts'
import type { ApiError, FlowState } from '../flow-result.ts'

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

/** An error beside the state the request was made to, where that is known. */
export interface ErrorBody {
  readonly error: ApiError
  readonly result?: FlowState
}

/** A failure as it is sent. */
export function errorAnswer(body: ErrorBody, retryAfterSeconds?: number): Answer {
  const wait = retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` }
  return jsonAnswer(body.error.code, body, wait)
}

/** The answer to a method that a path does not take: it takes this one. */
export function methodNotAllowed(method: string): Answer {
  const error: ApiError = {
    name: 'BadRequest',
    reason: 'MethodNotAllowed',
    message: `only ${method} is supported`,
    code: 405,
  }
  const { headers, ...answer } = errorAnswer({ error })
  return { ...answer, headers: { ...headers, allow: ['OPTIONS', method].sort().join(', ') } }
}

/** An answer of JSON. */
export function jsonAnswer(
  status: number,
  value: object,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return textAnswer(status, JSON.stringify(value), {
    'content-type': 'application/json',
    ...headers,
  })
}

/** In how many seconds another try has a chance, where an error says so. */
export function retryAfter(error: unknown): number | undefined {
  const seconds = isGatehouseError(error) ? error.info.retryAfterSeconds : undefined
  return typeof seconds === 'number' ? seconds : undefined
}
