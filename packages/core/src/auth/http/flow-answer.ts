import type { FlowResult } from '../flows/flow-result.ts'
import { errorAnswer, jsonAnswer } from './error-response.ts'
import type { FramedAnswer } from './request-frame.ts'

/** The answer to a request to a flow. */
export function flowAnswer(result: FlowResult): FramedAnswer {
  const { cookies } = result
  if (result.ok) return { cookies, ...jsonAnswer(200, { result: result.result }) }
  const { error, result: state, retryAfterSeconds } = result
  const body = state === undefined ? { error } : { error, result: state }
  return { ...errorAnswer(body, retryAfterSeconds), cookies }
}
