import { type Answer, textAnswer } from '../../http/answer.ts'
import type { ApiError } from '../api-error.ts'
import type { FlowState } from '../flow-result.ts'

/** An error, and the state the request was made to, if known. */
export interface ErrorBody {
  readonly error: ApiError
  readonly result?: FlowState
}

/** The answer to a failed request. */
export function errorAnswer(body: ErrorBody, retryAfterSeconds?: number): Answer {
  const wait = retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` }
  return jsonAnswer(body.error.code, body, wait)
}

/** The answer to a method that a path does not allow; `method` is the one it does. */
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

/** A JSON answer. */
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
