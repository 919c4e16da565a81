import type { Route } from '../../http/route.ts'
import type { AuthContext } from '../context.ts'
import { advanceDecodedFlow } from '../flows/advance-flow.ts'
import { approveLink } from '../flows/approve-link.ts'
import { createDecodedFlow } from '../flows/create-flow.ts'
import { getDecodedFlowState } from '../flows/get-flow-state.ts'
import { approvalFeedRow } from './approval-feed.ts'
import {
  decodeAdvanceFlow,
  decodeApproveLink,
  decodeCreateFlow,
  decodeGetFlowState,
} from './decode-body.ts'
import { jsonAnswer } from './error-response.ts'
import { flowAnswer } from './flow-answer.ts'
import { postRows } from './method-rows.ts'
import { pageRows } from './page-routes.ts'
import { createRequestFrame } from './request-frame.ts'
import { tokenRows } from './token-rows.ts'

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
    ...tokenRows(auth),
    approvalFeedRow(auth),
    ...pageRows(auth),
  ]
  return rows.map(createRequestFrame(auth))
}
