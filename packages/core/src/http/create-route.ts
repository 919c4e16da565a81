import { type Decode, decodeInput } from '../input/decode.ts'
import { refuse } from '../input/refusal.ts'
import { toResponse } from './answer.ts'
import type { AnsweringRoute, RequestInfo } from './route.ts'

const expected = 'what the adapter knows of the request: params, path, mountPath, query and secure'

/** Checks that an adapter says what it knows; it is not copied. */
const requestInfo: Decode<RequestInfo> = (value) => {
  if (typeof value !== 'object' || value === null) return refuse(expected, value)
  const { params, path, mountPath, query }: Partial<RequestInfo> = value
  const isWhole = [path, mountPath, query].every((text) => typeof text === 'string')
  // Nobody is told of a peer that the adapter does not know.
  return isWhole && typeof params === 'object' ? (value as RequestInfo) : refuse(expected, value)
}

/** The route of a row that says what it answers, for adapters with and without standard objects. */
export function createRoute({
  method,
  path,
  answer,
}: Pick<AnsweringRoute, 'method' | 'path' | 'answer'>): AnsweringRoute {
  return {
    method,
    path,
    handle: async (request, info) =>
      toResponse(await answer(request, decodeInput('info', requestInfo, info))),
    answer,
  }
}
