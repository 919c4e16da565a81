import { decodeInput, objectOf, rawText } from '../../input/decode.ts'
import type { AuthContext } from '../context.ts'
import { flowNotFound } from '../errors.ts'
import { beginRun } from '../flow/run.ts'
import { loadState } from '../flow-states/store.ts'
import { checkRequestLimit } from '../limits/request-limit.ts'
import type { FlowResult, RequestContext } from './flow-result.ts'
import { requestContext } from './operation-input.ts'
import { requestFacts } from './request-facts.ts'
import { failed, show } from './run/run-flow.ts'

const decodeParams = objectOf<{ state_token: string }>({ state_token: rawText })

/**
 * Reads a state again, with current values around it. Changes nothing. @see Authentication Flow API, `POST
 * /api/v1/authentication_flows/states`
 */
export async function getFlowState(
  auth: AuthContext,
  params: { state_token: string },
  context: RequestContext = {},
): Promise<FlowResult> {
  const decoded = decodeInput('params', decodeParams, params)
  return getDecodedFlowState(auth, decoded, decodeInput('context', requestContext, context))
}

/** {@link getFlowState} for a token whose type was already checked. */
export async function getDecodedFlowState(
  auth: AuthContext,
  { state_token: token }: { state_token: string },
  context: RequestContext,
): Promise<FlowResult> {
  const request = requestFacts(auth, context)
  try {
    await checkRequestLimit(auth, request)
    const stored = await loadState(auth, token)
    if (stored === undefined) throw flowNotFound()
    const run = beginRun({ auth, request, session: stored.session, now: auth.clock.now() })
    return { ok: true, result: await show(run, token, stored.state), cookies: [] }
  } catch (error) {
    return failed(error, auth)
  }
}
