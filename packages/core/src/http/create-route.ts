import { toResponse } from './answer.ts'
import type { AnsweringRoute } from './route.ts'

/** The route of a row that says what it answers, for adapters with and without standard objects. */
export function createRoute({
  method,
  path,
  answer,
}: Pick<AnsweringRoute, 'method' | 'path' | 'answer'>): AnsweringRoute {
  return {
    method,
    path,
    handle: async (request, info) => toResponse(await answer(request, info)),
    answer,
  }
}
