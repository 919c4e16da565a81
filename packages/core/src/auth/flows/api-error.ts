import { type ErrorInfo, type ErrorKind, isGatehouseError } from '../../errors.ts'
import { statusOf } from '../../http/status.ts'

/** An error as clients see it. */
export interface ApiError {
  readonly name: string
  readonly reason: string
  readonly message: string
  readonly code: number
  /** Names the log line of the error. */
  readonly tracking_id: string
  readonly info?: ErrorInfo
}

type Known = Omit<ApiError, 'tracking_id'>

/** The error names on the wire, by kind. */
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

const unexpected: Known = {
  name: 'InternalError',
  reason: 'UnexpectedError',
  message: 'unexpected error occurred',
  code: 500,
}

/** Failures of the storage and its queues. Clients learn only enough to react. */
const ofStorage: ReadonlyMap<string, Known> = new Map([
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
 * Converts any failure to its form on the wire. Unexpected errors reveal nothing of their cause.
 *
 * @see Authentication Flow API, errors
 */
export function toApiError(error: unknown, trackingId: string): ApiError {
  const { info, ...known } = knownOf(error)
  return { ...known, tracking_id: trackingId, ...(info === undefined ? {} : { info }) }
}

function knownOf(error: unknown): Known {
  if (!isGatehouseError(error)) return unexpected
  const { kind, reason, message, info } = error
  const known = ofStorage.get(reason)
  if (known !== undefined) return known
  // The wait is sent in a header.
  const { retryAfterSeconds: _seconds, ...shown } = info
  const code = reason === 'MethodNotAllowed' ? 405 : statusOf(kind)
  const api = { name: names[kind], reason, message, code }
  return Object.keys(shown).length === 0 ? api : { ...api, info: shown }
}

/** A message that could not be sent; its cause is at the sender. */
const unsent: ReadonlySet<string> = new Set(['OTPDeliveryUnexpectedError', 'InvitationNotSent'])

/** Whether the operators must look into a failure, so that it is logged. */
export function isFault(error: unknown): boolean {
  if (!isGatehouseError(error)) return true
  return error.kind === 'ServiceUnavailable' || unsent.has(error.reason)
}

/** Seconds after which a retry may succeed, if the error holds them. */
export function retryAfter(error: unknown): number | undefined {
  const seconds = isGatehouseError(error) ? error.info.retryAfterSeconds : undefined
  return typeof seconds === 'number' ? seconds : undefined
}
