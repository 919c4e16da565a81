import { isGatehouseError } from '../../../errors.ts'
import { retryOnConflict } from '../../../storage/storage.ts'
import type { AuthContext, AuthRun } from '../../context.ts'
import { findFlow } from '../../default-flows/find-flow.ts'
import { type Asking, answerAll } from '../../flow/asking.ts'
import {
  type Advanced,
  acceptInput,
  isFinished,
  showState,
  withFlowType,
} from '../../flow/engine.ts'
import { atState, spendingWrites } from '../../flow/run.ts'
import type { FlowSnapshot } from '../../flow/state.ts'
import type { FlowInput, FlowMemory, FlowView } from '../../flow/view.ts'
import { type StartingState, storeState } from '../../flow-states/store.ts'
import { loadMemory } from '../../limits/bot-protection-answers.ts'
import { createStateToken } from '../../secrets/tokens.ts'
import type { SetCookie } from '../../sessions/cookies.ts'
import { type ApiError, isFault, retryAfter, toApiError } from '../api-error.ts'
import { finishFlow } from '../finish/finish-flow.ts'
import type { FlowResult, FlowState } from '../flow-result.ts'
import { performEffects } from './perform-effects.ts'

/** The view of a state for the rules of a run. */
function viewOf(
  { auth, request, session, now }: AuthRun,
  state: FlowSnapshot,
  memory: FlowMemory,
): FlowView {
  const config = auth.config.current
  const flow: FlowView['flow'] = (type, name) => findFlow(config, type, name)
  const has_hook = auth.hook !== undefined || auth.config.current.hook.blocking_handlers.length > 0
  return { config, now, request, session, memory, has_hook, state, flow }
}

/** Runs rules of a flow and answers their questions. */
export async function runRules<T>(
  run: AuthRun,
  state: FlowSnapshot,
  rules: (view: FlowView) => Asking<T>,
): Promise<T> {
  // Loaded each time, because the outcome of another input of the flow counts at once.
  const view = viewOf(run, state, await loadMemory(run))
  return answerAll(rules(view), () => run.auth.answers(atState(run, state)))
}

/** The progress of a series of inputs. */
interface Progress {
  readonly result: FlowState
  readonly cookies: readonly SetCookie[]
}

/** Feeds inputs one after the other, each to the state after the one before. */
export async function feedInputs(
  run: AuthRun,
  start: StartingState,
  inputs: readonly FlowInput[],
): Promise<Progress> {
  let { state } = start
  const cookies: SetCookie[] = []
  for (const [index, input] of inputs.entries()) {
    const advanced = await runRules(run, state, (view) => acceptInput(view, run.auth.kinds, input))
    cookies.push(...(await perform(run, advanced)))
    state = advanced.state
    if (isFinished(state)) {
      const finished = await finish(run, start, state)
      return { result: finished.result, cookies: [...cookies, ...finished.cookies] }
    }
    if (index === inputs.length - 1) break
  }
  const token = await retryOnConflict(async () =>
    storeState(run.auth, start, state, await spendingWrites(run)),
  )
  return { result: await show(run, token, state), cookies }
}

/** Performs the effects of an accepted input. A failure refuses the input. */
export async function perform(
  run: AuthRun,
  { state, effects }: Advanced,
): Promise<readonly SetCookie[]> {
  if (effects.length === 0) return []
  try {
    return (await performEffects(atState(run, state), effects, state.facts)).cookies
  } catch (error) {
    throw isGatehouseError(error) ? withFlowType(error, state.type) : error
  }
}

/** Ends a flow: stores what it has established. */
async function finish(
  run: AuthRun,
  { version }: Pick<StartingState, 'version'>,
  state: FlowSnapshot,
): Promise<Progress> {
  const { type, name } = state
  const { counters } = run.auth
  const ending = finishFlow(atState(run, state), state, version)
  ending.then(
    () => counters.flowFinished(type, 'finished'),
    () => counters.flowFinished(type, 'refused'),
  )
  const { cookies, finish_redirect_uri: uri } = await ending
  const data = uri === undefined ? {} : { finish_redirect_uri: uri }
  // The flow has ended, so the token of this state, like all others, finds nothing.
  const token = createStateToken(run.auth.random)
  return { result: { state_token: token, type, name, action: { type: 'finished', data } }, cookies }
}

/** A state as its client sees it. */
export async function show(run: AuthRun, token: string, state: FlowSnapshot): Promise<FlowState> {
  return {
    state_token: token,
    ...(await runRules(run, state, (view) => showState(view, run.auth.kinds))),
  }
}

/**
 * The outcome of a failed request, with the state it was made to.
 *
 * @throws unexpected failures.
 */
export async function failed(
  error: unknown,
  { counters, ids, logger }: AuthContext,
  readState?: () => Promise<FlowState | undefined>,
): Promise<FlowResult> {
  const apiError: ApiError = toApiError(error, ids.random())
  const { reason, tracking_id } = apiError
  counters.requestRefused(reason)
  if (isFault(error)) logger.error({ err: error, tracking_id }, 'a flow failed')
  const seconds = retryAfter(error)
  const result = await readState?.().catch(() => undefined)
  return {
    ok: false,
    error: apiError,
    cookies: [],
    ...(result === undefined ? {} : { result }),
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  }
}
