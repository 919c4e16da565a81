import { type Answer, textAnswer } from '../../http/answer.ts'
import { ownFailure } from '../../http/own-api/failure.ts'
import type { AuthContext } from '../context.ts'
import type { ApiError } from '../flows/api-error.ts'
import type { FlowState } from '../flows/flow-result.ts'

/** An error, and the state the request was made to, if known. */
export interface ErrorBody {
  readonly error: ApiError
  readonly result?: FlowState
}

/** An answer with the id of its error, for the log. */
export interface RefusalAnswer extends Answer {
  readonly tracking_id: string
}

/** The answer to a failed request. */
export function errorAnswer(body: ErrorBody, retryAfterSeconds?: number): RefusalAnswer {
  const wait = retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` }
  const { code, tracking_id } = body.error
  return { ...jsonAnswer(code, body, wait), tracking_id }
}

/** The answer to a failed request below `/gatehouse/v1`. */
export function ownApiFailure(
  { code, reason, message, info }: ApiError,
  retryAfterSeconds?: number,
): Answer {
  const wait = retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` }
  return ownFailure(code, { reason, message, ...(info === undefined ? {} : { info }) }, wait)
}

/** The answer to a method that a path does not allow; `methods` are those it does. */
export function methodNotAllowed(
  { ids }: Pick<AuthContext, 'ids'>,
  ...methods: readonly string[]
): RefusalAnswer {
  const error: ApiError = {
    name: 'BadRequest',
    reason: 'MethodNotAllowed',
    message: `only ${methods.join(' and ')} ${methods.length === 1 ? 'is' : 'are'} supported`,
    code: 405,
    tracking_id: ids.random(),
  }
  const { headers, ...answer } = errorAnswer({ error })
  return { ...answer, headers: { ...headers, allow: ['OPTIONS', ...methods].sort().join(', ') } }
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
