import { endpointsByPath, splitPlace } from '../../http/api/place.ts'
import type { Route } from '../../http/route.ts'
import type { AuthContext } from '../context.ts'
import { advanceDecodedFlow } from '../flows/advance-flow.ts'
import { approveLink } from '../flows/approve-link.ts'
import { createDecodedFlow } from '../flows/create-flow.ts'
import { getDecodedFlowState } from '../flows/get-flow-state.ts'
import { flowOperations } from '../wire/operations.ts'
import { approvalFeed } from './approval-feed.ts'
import {
  decodeAdvanceFlow,
  decodeApproveLink,
  decodeCreateFlow,
  decodeGetFlowState,
} from './decode-body.ts'
import { jsonAnswer } from './error-response.ts'
import { flowAnswer } from './flow-answer.ts'
import { pageRows } from './page-routes.ts'
import { pathRows, takingJson } from './path-rows.ts'
import { createRequestFrame, type FramedRow } from './request-frame.ts'
import { tokenEndpoints } from './token-rows.ts'

// Other methods of its path may be another's.
const { followApproval, ...places } = flowOperations

/**
 * The HTTP interface of the service, below the configuration's current base path.
 *
 * @see Authentication Flow API v1
 */
export function authRoutes(auth: AuthContext): readonly Route[] {
  const endpoints: Readonly<Record<keyof typeof places, FramedRow['answer']>> = {
    createFlow: takingJson(auth, async (body, context) =>
      flowAnswer(await createDecodedFlow(auth, await decodeCreateFlow(body), context)),
    ),
    advanceFlow: takingJson(auth, async (body, context) =>
      flowAnswer(await advanceDecodedFlow(auth, await decodeAdvanceFlow(body), context)),
    ),
    getFlowState: takingJson(auth, async (body, context) =>
      flowAnswer(await getDecodedFlowState(auth, await decodeGetFlowState(body), context)),
    ),
    approveLink: takingJson(auth, async (body) => {
      const { code } = await decodeApproveLink(body)
      await approveLink(auth, code.trim())
      return jsonAnswer(200, { result: { approved: true } })
    }),
    ...tokenEndpoints(auth),
  }
  const rows = [
    ...endpointsByPath(places, endpoints).flatMap((one) =>
      pathRows(auth, 'api', one, (answer) => ({ answer })),
    ),
    { ...splitPlace(followApproval), ...approvalFeed(auth) },
    ...pageRows(auth),
  ]
  return rows.map(createRequestFrame(auth))
}
