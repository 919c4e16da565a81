import { decodeInput, listOf, objectOf, optional, rawText } from '../../input/decode.ts'
import type { AuthContext } from '../context.ts'
import { flowNotFound } from '../errors.ts'
import { beginRun } from '../flow/run.ts'
import type { FlowInput } from '../flow/view.ts'
import { loadState } from '../flow-states/store.ts'
import { checkRequestLimit } from '../limits/request-limit.ts'
import type { FlowResult, FlowState, RequestContext } from './flow-result.ts'
import { flowInput, requestContext } from './operation-input.ts'
import { requestFacts } from './request-facts.ts'
import { restoreRecovery } from './run/restore-recovery.ts'
import { failed, feedInputs, show } from './run/run-flow.ts'
import { traceFlow } from './run/trace-flow.ts'

/** An input for a state. @see Authentication Flow API, `POST /api/v1/authentication_flows/states/input` */
export interface AdvanceFlowParams {
  /** Optional only for an input that carries the code of a recovery link. */
  state_token?: string
  input?: FlowInput
  batch_input?: readonly FlowInput[]
}

const decodeParams = objectOf<AdvanceFlowParams>({
  state_token: optional(rawText),
  input: optional(flowInput),
  batch_input: optional(listOf(flowInput)),
})

/**
 * Feeds one or several inputs to a state. The state itself does not change; the answer carries a new state.
 *
 * @throws {GatehouseError} `InvalidInput`
 * @example
 * const input = { identification: 'email', login_id: 'maya@example.com' }
 * const next = await advanceFlow(auth, { state_token, input })
 */
export async function advanceFlow(
  auth: AuthContext,
  params: AdvanceFlowParams,
  context: RequestContext = {},
): Promise<FlowResult> {
  const decoded = decodeInput('params', decodeParams, params)
  return advanceDecodedFlow(auth, decoded, decodeInput('context', requestContext, context))
}

/** {@link advanceFlow} for parameters whose types were already checked. */
export function advanceDecodedFlow(
  auth: AuthContext,
  params: AdvanceFlowParams,
  context: RequestContext,
): Promise<FlowResult> {
  return traceFlow(auth, 'auth.flow.advance', () => advance(auth, params, context))
}

async function advance(
  auth: AuthContext,
  params: AdvanceFlowParams,
  context: RequestContext,
): Promise<FlowResult> {
  const { state_token: token, input, batch_input: batch = [] } = params
  const inputs = input === undefined ? batch : [input]
  const request = requestFacts(auth, context)
  let readState: (() => Promise<FlowState | undefined>) | undefined
  try {
    await checkRequestLimit(auth, request)
    const now = auth.clock.now()
    if (token === undefined) return await restoreRecovery(auth, { request, inputs, now })
    const start = await loadState(auth, token)
    if (start === undefined) throw flowNotFound()
    const run = beginRun({ auth, request, session: start.session, now })
    readState = async () =>
      (await loadState(auth, token)) ? show(run, token, start.state) : undefined
    return { ok: true, ...(await feedInputs(run, start, inputs)) }
  } catch (error) {
    return failed(error, auth, readState)
  }
}
