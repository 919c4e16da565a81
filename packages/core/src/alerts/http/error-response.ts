import { type GatehouseError, isGatehouseError } from '../../errors.ts'
import { goJson } from '../../go/json.ts'
import { type Answer, emptyAnswer, textAnswer } from '../../http/answer.ts'
import { statusOf } from '../../http/status.ts'

const json = { 'content-type': 'application/json' }

/** A failure that the operation itself found: one JSON string and a newline. */
export function handlerFailure(status: number, message: string): Answer {
  return textAnswer(status, `${goJson(message)}\n`, json)
}

/** A failure found before the operation: an object, and no newline. */
export function frameworkFailure(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code: number = status,
): Answer {
  return textAnswer(status, goJson({ code, message }), { ...json, ...headers })
}

/** How one operation answers its failures. */
export interface ErrorOptions {
  /** Whether a missing record is answered without a body. */
  emptyNotFound?: boolean
}

function statusOfFailure({ kind, reason }: GatehouseError): number {
  if (reason === 'InvalidSchema') return 422
  // Somebody else was faster too often in a row. The API knows no 409; the same request may well succeed later.
  return kind === 'Conflict' ? 503 : statusOf(kind)
}

/**
 * What any error of an operation is answered as, in this API's own form. What is not expected says nothing of
 * its cause.
 *
 * @see Alertmanager API v2, errors
 */
export function errorAnswer(error: unknown, options: ErrorOptions = {}): Answer {
  if (!isGatehouseError(error)) return handlerFailure(500, 'internal error')
  const status = statusOfFailure(error)
  if (status === 404 && options.emptyNotFound) return emptyAnswer(404)
  if (status === 422) return frameworkFailure(422, error.message, {}, Number(error.info.code))
  if (status === 413) return frameworkFailure(413, error.message)
  return handlerFailure(status, error.message)
}
