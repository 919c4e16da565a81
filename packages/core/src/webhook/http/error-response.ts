import { type ErrorInfo, isGatehouseError } from '../../errors.ts'
import type { Answer } from '../../http/answer.ts'
import { statusOf } from '../../http/status.ts'
import { answeredCodeOf, codeOf, kindOf, type WebhookErrorCode } from '../errors.ts'
import type { Run } from '../run.ts'
import type { Webhook } from '../webhook.ts'
import { jsonAnswer } from './json-answer.ts'
import { outputFields, runFields } from './run-json.ts'

/** The statuses that are more exact than those of the kinds of errors. */
const ownStatuses: Readonly<Partial<Record<WebhookErrorCode, number>>> = {
  method_not_allowed: 405,
  request_timeout: 408,
  unsupported_media_type: 415,
  argument_missing: 422,
  argument_rejected: 422,
  command_timeout: 504,
}

const statusOfCode = (code: WebhookErrorCode): number => ownStatuses[code] ?? statusOf(kindOf(code))

/** A refusal of a request, or the report of a failed run. */
export interface Refusal {
  readonly code: WebhookErrorCode
  readonly message: string
  /** Default: the status of the code. */
  readonly status?: number
  /** Further members of the body. */
  readonly members?: Readonly<Record<string, unknown>>
  /** Header names are in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The longest Retry-After, in seconds. */
const maxRetrySeconds = 60

/** Temporary errors. */
const ofTheMoment: ReadonlySet<WebhookErrorCode> = new Set([
  'queue_full',
  'rate_limited',
  'shutting_down',
  'overloaded',
  'storage_unavailable',
])

/** Seconds until a client may retry after a temporary error. */
function retryAfter(code: WebhookErrorCode, { retryAfterSeconds }: ErrorInfo): string | undefined {
  if (!ofTheMoment.has(code)) return undefined
  const seconds = typeof retryAfterSeconds === 'number' ? Math.ceil(retryAfterSeconds) : 1
  return `${Math.min(Math.max(seconds, 1), maxRetrySeconds)}`
}

/** The details of an error that clients may see. */
function membersOf({ fields, argument, source, run, webhook }: ErrorInfo): Record<string, unknown> {
  const members = Object.entries({ fields, argument, source })
  const details = Object.fromEntries(members.filter(([, value]) => value !== undefined))
  if (run === undefined) return details
  const output = webhook === undefined ? {} : outputFields(run as Run, webhook as Webhook)
  return { ...details, ...runFields(run as Run), ...output }
}

/** The refusal for any error of an operation. An unexpected error reveals nothing of its cause. */
export function toRefusal(error: unknown): Refusal {
  const code = isGatehouseError(error) ? codeOf(error) : undefined
  if (!isGatehouseError(error) || code === undefined) return unexpected(error)
  const { message, info } = error
  return { code, message, members: membersOf(info), headers: refusalHeaders(code, info) }
}

function unexpected(error: unknown): Refusal {
  const code = answeredCodeOf(error)
  if (code === 'internal_error') return { code, message: 'internal error' }
  return { code, message: 'try again later', headers: refusalHeaders(code, {}) }
}

/** The headers of a refusal that depend on its code. */
function refusalHeaders(code: WebhookErrorCode, info: ErrorInfo): Record<string, string> {
  const headers: Record<string, string> = {}
  const seconds = retryAfter(code, info)
  if (seconds !== undefined) headers['retry-after'] = seconds
  if (typeof info.allow === 'string') headers.allow = info.allow
  // Do not read the rest of the body.
  if (code === 'body_too_large' || code === 'request_timeout') headers.connection = 'close'
  return headers
}

/** The answer for a refusal: an object with a message for people and a code for programs. */
export function refusalAnswer(refusal: Refusal, requestId: string): Answer {
  const { code, message, status = statusOfCode(code), members, headers } = refusal
  const body = { message, code, request_id: requestId, ...members }
  const ofCode = refusalHeaders(code, {})
  return jsonAnswer(status, body, headers === undefined ? ofCode : { ...ofCode, ...headers })
}
