import type { Json } from '../../storage/storage.ts'
import type { AuthContext } from '../context.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { preflightAnswer } from './cors.ts'
import { methodNotAllowed } from './error-response.ts'
import { readJsonBody } from './read-json-body.ts'
import { requestContext } from './request-context.ts'
import type { FramedAnswer, FramedRow } from './request-frame.ts'

type Operation = (body: Json, context: RequestContext) => Promise<FramedAnswer>

/** The rows of a path that only takes JSON by POST. */
export function postRows(
  auth: AuthContext,
  path: string,
  operation: Operation,
): readonly FramedRow[] {
  const answers: readonly (readonly [method: string, answer: FramedRow['answer']])[] = [
    [
      'POST',
      async ({ request, info }) => {
        const body = await readJsonBody(request, auth.maxBodyBytes)
        return operation(body, requestContext(request, info))
      },
    ],
    ['OPTIONS', async ({ request }) => preflightAnswer(request, auth.config.current)],
    ['*', async () => methodNotAllowed(auth, 'POST')],
  ]
  return answers.map(([method, answer]) => ({
    method,
    path,
    kind: 'api',
    action: 'public',
    answer,
  }))
}
