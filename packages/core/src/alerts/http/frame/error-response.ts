import { goJson } from '@gatehouse/go-template/json'
import { type GatehouseError, isGatehouseError } from '../../../errors.ts'
import { type Answer, emptyAnswer, textAnswer } from '../../../http/answer.ts'
import { statusOf } from '../../../http/status.ts'

const json = { 'content-type': 'application/json' }

/** The response to a failure in the operation: a JSON string and a newline. */
export function handlerFailure(status: number, message: string): Answer {
  return textAnswer(status, `${goJson(message)}\n`, json)
}

/** The response to a failure before the operation: an object without a newline. */
export function frameworkFailure(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code: number = status,
): Answer {
  return textAnswer(status, goJson({ code, message }), { ...json, ...headers })
}

/** How an operation reports its failures. */
export interface ErrorOptions {
  /** Whether a missing record gets an empty body. */
  emptyNotFound?: boolean
}

function statusOfFailure({ kind, reason }: GatehouseError): number {
  if (reason === 'InvalidSchema') return 422
  // Too many conflicts in a row. The API has no 409; the same request may well succeed later.
  return kind === 'Conflict' ? 503 : statusOf(kind)
}

/**
 * The response to an error of an operation, in the format of this API. An unexpected error does not show its cause.
 *
 * @see Alertmanager API v2, errors
 */
export function errorAnswer(error: unknown, options: ErrorOptions = {}): Answer {
  if (!isGatehouseError(error)) return handlerFailure(500, 'internal error')
  const status = statusOfFailure(error)
  if (status === 404 && options.emptyNotFound) return emptyAnswer(404)
  if (status === 422) return frameworkFailure(422, error.message, {}, Number(error.info.code))
  if (status === 413) return frameworkFailure(413, error.message)
  const answer = handlerFailure(status, error.message)
  if (status !== 401) return answer
  return { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Bearer' } }
}
