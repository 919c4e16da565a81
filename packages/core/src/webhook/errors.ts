import {
  type ErrorInfo,
  type ErrorKind,
  GatehouseError,
  isGatehouseError,
  withoutStack,
} from '../errors.ts'

/** Reasons of this service: the `reason` of a {@link GatehouseError}, and the `code` of an answer. */
export type WebhookErrorCode =
  | 'invalid_json'
  | 'invalid_request'
  | 'invalid_token'
  | 'invalid_signature'
  | 'not_authenticated'
  | 'not_allowed'
  | 'address_not_allowed'
  | 'unknown_webhook'
  | 'unknown_run'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'superseded'
  | 'canceled'
  | 'run_finished'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'argument_missing'
  | 'argument_rejected'
  | 'queue_full'
  | 'rate_limited'
  | 'command_failed'
  | 'command_not_started'
  | 'command_timeout'
  | 'internal_error'
  | 'shutting_down'
  | 'overloaded'
  | 'storage_unavailable'

const kinds: Readonly<Record<WebhookErrorCode, ErrorKind>> = {
  invalid_json: 'BadRequest',
  invalid_request: 'Invalid',
  invalid_token: 'Unauthorized',
  invalid_signature: 'Unauthorized',
  not_authenticated: 'Unauthorized',
  not_allowed: 'Forbidden',
  address_not_allowed: 'Forbidden',
  unknown_webhook: 'NotFound',
  unknown_run: 'NotFound',
  not_found: 'NotFound',
  method_not_allowed: 'BadRequest',
  request_timeout: 'BadRequest',
  superseded: 'Conflict',
  canceled: 'Conflict',
  run_finished: 'Conflict',
  body_too_large: 'TooLarge',
  unsupported_media_type: 'BadRequest',
  argument_missing: 'Invalid',
  argument_rejected: 'Invalid',
  queue_full: 'TooManyRequest',
  rate_limited: 'TooManyRequest',
  command_failed: 'InternalError',
  command_not_started: 'InternalError',
  command_timeout: 'InternalError',
  internal_error: 'InternalError',
  shutting_down: 'ServiceUnavailable',
  overloaded: 'ServiceUnavailable',
  storage_unavailable: 'ServiceUnavailable',
}

/** The codes for reasons that all services share. */
const sharedReasons: ReadonlyMap<string, WebhookErrorCode> = new Map([
  ['NotAuthenticated', 'not_authenticated'],
  ['NotAllowed', 'not_allowed'],
])

/** The code of an error in answers, events and metrics; `undefined` if its reason is not one of this service's. */
export function codeOf({ reason }: GatehouseError): WebhookErrorCode | undefined {
  return Object.hasOwn(kinds, reason) ? (reason as WebhookErrorCode) : sharedReasons.get(reason)
}

/** The code of any error in answers. An unavailable storage is temporary; any other unexpected error is a fault. */
export function answeredCodeOf(error: unknown): WebhookErrorCode {
  if (!isGatehouseError(error)) return 'internal_error'
  const unexpected = error.kind === 'ServiceUnavailable' ? 'overloaded' : 'internal_error'
  return codeOf(error) ?? unexpected
}

/** The kind of the errors with a code. */
export const kindOf = (code: WebhookErrorCode): ErrorKind => kinds[code]

/** All reasons. */
export const webhookErrorCodes: readonly WebhookErrorCode[] = Object.keys(
  kinds,
) as WebhookErrorCode[]

/** One invalid field of a request. */
export interface FieldProblem {
  /** Such as `id` or `data`. */
  readonly path: string
  readonly problem: string
}

/** Creates an error of this service. `info` may hold `fields`, `argument`, `source`, `retryAfterSeconds`, `run`, `webhook`. */
export function webhookError(
  code: WebhookErrorCode,
  message: string,
  info: ErrorInfo = {},
): GatehouseError {
  return withoutStack(() => new GatehouseError(kinds[code], code, message, { info }))
}

/** Creates the error for a request with invalid fields. */
export function invalidRequest(fields: readonly FieldProblem[]): GatehouseError {
  const [{ path, problem } = { path: '', problem: 'the request is invalid' }] = fields
  // What is wrong with a body as a whole has no path.
  const message = path === '' ? problem : `${path}: ${problem}`
  return webhookError('invalid_request', message, { fields })
}
