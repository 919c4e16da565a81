import type { Route } from '../../http/route.ts'
import type { Json } from '../../storage/storage.ts'
import type { AuthContext } from '../context.ts'
import { advanceDecodedFlow } from '../flows/advance-flow.ts'
import { approveLink } from '../flows/approve-link.ts'
import { createDecodedFlow } from '../flows/create-flow.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { getDecodedFlowState } from '../flows/get-flow-state.ts'
import { approvalFeedRow } from './approval-feed.ts'
import { preflightAnswer } from './cors.ts'
import {
  decodeAdvanceFlow,
  decodeApproveLink,
  decodeCreateFlow,
  decodeGetFlowState,
} from './decode-body.ts'
import { jsonAnswer, methodNotAllowed } from './error-response.ts'
import { flowAnswer } from './flow-answer.ts'
import { pageRows } from './page-routes.ts'
import { readJsonBody } from './read-json-body.ts'
import { requestContext } from './request-context.ts'
import { createRequestFrame, type FramedAnswer, type FramedRow } from './request-frame.ts'

type Operation = (body: Json, context: RequestContext) => Promise<FramedAnswer>

/**
 * The HTTP interface of the service, below the configuration's current base path.
 *
 * @see Authentication Flow API v1
 */
export function authRoutes(auth: AuthContext): readonly Route[] {
  const flows = '/api/v1/authentication_flows'
  const rows = [
    ...postRows(auth, flows, async (body, context) =>
      flowAnswer(await createDecodedFlow(auth, await decodeCreateFlow(body), context)),
    ),
    ...postRows(auth, `${flows}/states/input`, async (body, context) =>
      flowAnswer(await advanceDecodedFlow(auth, await decodeAdvanceFlow(body), context)),
    ),
    ...postRows(auth, `${flows}/states`, async (body, context) =>
      flowAnswer(await getDecodedFlowState(auth, await decodeGetFlowState(body), context)),
    ),
    ...postRows(auth, `${flows}/links/approve`, async (body) => {
      const { code } = await decodeApproveLink(body)
      await approveLink(auth, code.trim())
      return jsonAnswer(200, { result: { approved: true } })
    }),
    approvalFeedRow(auth),
    ...pageRows(auth),
  ]
  return rows.map(createRequestFrame(auth))
}

/** The rows of a path that only takes JSON by POST. */
function postRows(auth: AuthContext, path: string, operation: Operation): readonly FramedRow[] {
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
