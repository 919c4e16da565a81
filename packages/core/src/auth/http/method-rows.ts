import type { Json } from '../../storage/storage.ts'
import type { AuthContext } from '../context.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { preflightAnswer } from './cors.ts'
import { methodNotAllowed } from './error-response.ts'
import { readJsonBody } from './read-json-body.ts'
import { requestContext } from './request-context.ts'
import type { FramedAnswer, FramedRow } from './request-frame.ts'

/** The rows of a path that takes one method. */
export const methodRows = (
  auth: AuthContext,
  { method, path }: { readonly method: string; readonly path: string },
  answer: FramedRow['answer'],
): readonly FramedRow[] => pathRows(auth, path, [[method, answer]])

type MethodAnswer = readonly [method: string, answer: FramedRow['answer']]

/** The rows of a path: the answer of each method, that to a preflight, and the refusal of others. GET brings HEAD. */
export function pathRows(
  auth: AuthContext,
  path: string,
  answers: readonly MethodAnswer[],
): readonly FramedRow[] {
  const methods = answers.map(([method]) => method)
  const allowed = methods.join(', ')
  const all: readonly MethodAnswer[] = [
    ...answers,
    ...answers.flatMap(([method, answer]) => (method === 'GET' ? [['HEAD', answer] as const] : [])),
    ['OPTIONS', async ({ request }) => preflightAnswer(request, auth.config.current, allowed)],
    ['*', async () => methodNotAllowed(auth, ...methods)],
  ]
  return all.map(([name, answerTo]) => ({
    method: name,
    path,
    kind: 'api',
    action: 'public',
    answer: answerTo,
  }))
}

type Operation = (body: Json, context: RequestContext) => Promise<FramedAnswer>

/** The rows of a path that only takes JSON by POST. */
export const postRows = (
  auth: AuthContext,
  path: string,
  operation: Operation,
): readonly FramedRow[] =>
  methodRows(auth, { method: 'POST', path }, async ({ request, info }) => {
    const body = await readJsonBody(request, auth.maxBodyBytes)
    return operation(body, requestContext(request, info))
  })
