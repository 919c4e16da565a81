import type { PathEndpoints } from '../../http/api/place.ts'
import type { Json } from '../../storage/storage.ts'
import type { AuthContext } from '../context.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { preflightAnswer } from './cors.ts'
import { methodNotAllowed } from './error-response.ts'
import { readJsonBody } from './read-json-body.ts'
import { requestContext } from './request-context.ts'
import type { FramedAnswer, FramedRow } from './request-frame.ts'

type RowAnswer = FramedRow['answer']

/** The rows of a path: the answer of each endpoint, that to a preflight, and the refusal of other methods. GET brings HEAD. */
export function pathRows<E>(
  auth: AuthContext,
  { path, endpoints }: PathEndpoints<E>,
  answerOf: (endpoint: E) => RowAnswer,
): readonly FramedRow[] {
  const methods = Object.keys(endpoints)
  const allowed = methods.join(', ')
  const row = (method: string, answer: RowAnswer): FramedRow => ({
    method,
    path,
    kind: 'api',
    action: 'public',
    answer,
  })
  return [
    ...Object.entries(endpoints).flatMap(([method, endpoint]) =>
      (method === 'GET' ? ['GET', 'HEAD'] : [method]).map((one) => row(one, answerOf(endpoint))),
    ),
    row('OPTIONS', async ({ request }) => preflightAnswer(request, auth.config.current, allowed)),
    row('*', async () => methodNotAllowed(auth, ...methods)),
  ]
}

/** Answers a request whose body is JSON. */
export const takingJson =
  (
    auth: AuthContext,
    operation: (body: Json, context: RequestContext) => Promise<FramedAnswer>,
  ): RowAnswer =>
  async ({ request, info }) => {
    const body = await readJsonBody(request, auth.maxBodyBytes)
    return operation(body, requestContext(request, info))
  }
