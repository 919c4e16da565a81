import type { ErrorKind } from '../errors.ts'

const statuses: Readonly<Record<ErrorKind, number>> = {
  BadRequest: 400,
  Invalid: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  Conflict: 409,
  AlreadyExists: 409,
  TooLarge: 413,
  TooManyRequest: 429,
  InternalError: 500,
  ServiceUnavailable: 503,
}

/** The HTTP status of a kind of error. */
export function statusOf(kind: ErrorKind): number {
  return statuses[kind]
}
