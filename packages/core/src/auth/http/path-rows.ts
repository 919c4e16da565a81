import { type Answer, emptyAnswer } from '../../http/answer.ts'
import type { PathEndpoints } from '../../http/api/place.ts'
import { otherMethodRefusal } from '../../http/own-api/failure.ts'
import type { RouteRequest } from '../../http/route.ts'
import type { Json } from '../../storage/storage.ts'
import type { AuthContext } from '../context.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { preflightAnswer } from './cors.ts'
import { methodNotAllowed } from './error-response.ts'
import { readJsonBody } from './read-json-body.ts'
import { requestContext } from './request-context.ts'
import type { FramedAnswer, FramedRow } from './request-frame.ts'

type RowAnswer = FramedRow['answer']

/** What an interface answers by itself at each of its paths. */
interface Interface {
  preflight(auth: AuthContext, request: RouteRequest, methods: readonly string[]): Answer
  refuseOthers(auth: AuthContext, methods: readonly string[]): FramedAnswer
}

const interfaces: Readonly<Record<'api' | 'own', Interface>> = {
  api: {
    preflight: (auth, request, methods) =>
      preflightAnswer(request, auth.config.current, methods.join(', ')),
    refuseOthers: (auth, methods) => methodNotAllowed(auth, ...methods),
  },
  own: {
    // Pages of other origins may not use it.
    preflight: () => emptyAnswer(204),
    refuseOthers: (_auth, methods) => otherMethodRefusal(methods),
  },
}

/** How an endpoint answers, and the right that a request needs (default: none). */
export interface PathAnswer {
  readonly action?: FramedRow['action']
  readonly answer: RowAnswer
}

/** The rows of a path: the answer of each endpoint, that to a preflight, and the refusal of other methods. GET brings HEAD. */
export function pathRows<E>(
  auth: AuthContext,
  kind: 'api' | 'own',
  { path, endpoints }: PathEndpoints<E>,
  answerOf: (endpoint: E) => PathAnswer,
): readonly FramedRow[] {
  const methods = Object.keys(endpoints)
  const { preflight, refuseOthers } = interfaces[kind]
  const row = (method: string, { action = 'public', answer }: PathAnswer): FramedRow => ({
    method,
    path,
    kind,
    action,
    answer,
  })
  return [
    ...Object.entries(endpoints).flatMap(([method, endpoint]) =>
      (method === 'GET' ? ['GET', 'HEAD'] : [method]).map((one) => row(one, answerOf(endpoint))),
    ),
    row('OPTIONS', { answer: async ({ request }) => preflight(auth, request, methods) }),
    row('*', { answer: async () => refuseOthers(auth, methods) }),
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
