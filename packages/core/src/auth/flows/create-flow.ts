import {
  decodeInput,
  json,
  listOf,
  objectOf,
  oneOf,
  optional,
  rawText,
} from '../../input/decode.ts'
import type { Json } from '../../storage/storage.ts'
import { maxInputs } from '../api/limits.ts'
import type { FlowDefinition, FlowType } from '../config/flow-definition.ts'
import { flowTypes } from '../config/flows/flow-grammar.ts'
import type { AuthContext } from '../context.ts'
import { findFlow } from '../default-flows/find-flow.ts'
import { authError, validationFailed } from '../errors.ts'
import { clientContext } from '../events/client-context.ts'
import { isFlowAllowed } from '../flow/allow-list.ts'
import { beginFlow, initialState, isFinished } from '../flow/engine.ts'
import type { FlowKinds } from '../flow/kinds.ts'
import { beginRun } from '../flow/run.ts'
import type { FlowSession } from '../flow/state.ts'
import type { FlowInput } from '../flow/view.ts'
import { storeFlow } from '../flow-states/store.ts'
import { beginInvited, type InvitedStart } from '../invitations/begin-invited.ts'
import { invitationsDisabled } from '../invitations/invitation.ts'
import { demandedLogin } from '../kinds/login-id/demanded-login.ts'
import { checkRequestLimit } from '../limits/request-limit.ts'
import { createFlowId } from '../secrets/tokens.ts'
import { beginPromotion } from './begin-promotion.ts'
import type { FlowResult, FlowState, RequestContext } from './flow-result.ts'
import { flowInput, requestContext } from './operation-input.ts'
import { requestFacts } from './request-facts.ts'
import { failed, feedInputs, perform, runRules, show } from './run/run-flow.ts'
import { traceFlow } from './run/trace-flow.ts'

/** The parameters of a new flow. @see Authentication Flow API, `POST /api/v1/authentication_flows` */
export interface CreateFlowParams {
  type: FlowType
  name: string
  /** An input to apply at once. */
  input?: FlowInput
  /** Inputs to apply one after the other. */
  batch_input?: readonly FlowInput[]
  /** The query of the authorization request; it goes before the query of the URL. */
  url_query?: string
  /** Passed on to hooks; at most 4 KiB. */
  client_context?: Json
}

const decodeParams = objectOf<CreateFlowParams>({
  type: oneOf<FlowType>([...flowTypes, 'account']),
  name: rawText,
  input: optional(flowInput),
  batch_input: optional(listOf(flowInput)),
  url_query: optional(rawText),
  client_context: optional(json),
})

/**
 * Creates a flow. With inputs it may finish in the same request.
 *
 * @throws {GatehouseError} `InvalidInput`
 * @example
 * const flow = await createFlow(auth, { type: 'login', name: 'default' })
 * if (flow.ok) console.log(flow.result.action.type) // identify
 */
export async function createFlow(
  auth: AuthContext,
  params: CreateFlowParams,
  context: RequestContext = {},
): Promise<FlowResult> {
  const decoded = decodeInput('params', decodeParams, params)
  return createDecodedFlow(auth, decoded, decodeInput('context', requestContext, context))
}

/** {@link createFlow} for parameters whose types were already checked. */
export function createDecodedFlow(
  auth: AuthContext,
  params: CreateFlowParams,
  context: RequestContext,
): Promise<FlowResult> {
  return traceFlow(auth, 'auth.flow.create', () => create(auth, params, context))
}

async function create(
  auth: AuthContext,
  params: CreateFlowParams,
  context: RequestContext,
): Promise<FlowResult> {
  const request = requestFacts(auth, context)
  let readState: (() => Promise<FlowState | undefined>) | undefined
  try {
    const inputs = inputsOf(params)
    await checkRequestLimit(auth, request)
    const definition = flowOf(auth, params)
    const now = auth.clock.now()
    const session = await createSession(auth, params, context, now)
    const invited = await invitedStart(auth, params, context)
    checkStart(auth, definition, { session, isInvited: invited !== undefined })
    const run = beginRun({ auth, request, session, now })
    const facts = definition.type === 'promote' ? await beginPromotion(run) : invited?.facts
    const state = initialState(session.flow_id, definition, facts, invited?.notes)
    const first = await runRules(run, state, (view) => beginFlow(view, auth.kinds))
    if (isFinished(first.state)) throw endsAtOnce(definition, invited !== undefined)
    auth.counters.flowStarted(definition.type)
    const cookies = await perform(run, first)
    // A flow that ends in this request is never stored.
    const read = async (): Promise<FlowState> =>
      show(run, await storeFlow(auth, session, first.state), first.state)
    if (inputs.length === 0) return { ok: true, result: await read(), cookies }
    readState = read
    const start = { state: first.state, session, version: undefined }
    const progress = await feedInputs(run, start, inputs)
    return { ok: true, result: progress.result, cookies: [...cookies, ...progress.cookies] }
  } catch (error) {
    return failed(error, auth, readState)
  }
}

/** A flow must ask for something: its answer is the state that waits for that. */
const endsAtOnce = ({ name }: FlowDefinition, isInvited: boolean): Error =>
  isInvited
    ? invitationsDisabled('the sign-up asks nothing of people whose address is proven')
    : new TypeError(`the flow "${name}" has no step that prompts`)

function inputsOf({ input, batch_input: batch = [] }: CreateFlowParams): readonly FlowInput[] {
  if (input !== undefined && batch.length > 0) {
    throw validationFailed([{ location: '', kind: 'oneOf' }], 'invalid request body')
  }
  if (batch.length > maxInputs) {
    const details = { expected: maxInputs, actual: batch.length }
    throw validationFailed(
      [{ location: '/batch_input', kind: 'maxItems', details }],
      'invalid request body',
    )
  }
  return input === undefined ? batch : [input]
}

function flowOf({ config, kinds }: AuthContext, { type, name }: CreateFlowParams): FlowDefinition {
  const definition = findFlow(config.current, type, name)
  // The generated reauth flows need ID tokens, which not every host can verify.
  if (definition !== undefined && (type !== 'reauth' || canIdentify(definition, kinds))) {
    return definition
  }
  throw authError('NotFound', 'AuthenticationFlowFlowNotFound', 'flow not found')
}

const canIdentify = ({ steps }: FlowDefinition, { identifications }: FlowKinds): boolean =>
  steps.some(
    (step) =>
      step.type === 'identify' &&
      step.one_of.some(({ identification }) => identifications.has(identification)),
  )

function checkStart(
  { config }: AuthContext,
  { type, name }: FlowDefinition,
  { session, isInvited }: { readonly session: FlowSession; readonly isInvited: boolean },
): void {
  if (!isFlowAllowed(config.current, session.client_id, type, name)) {
    throw authError('Forbidden', 'AuthenticationFlowNotAllowed', 'the client may not use this flow')
  }
  const { can_use_intention_to_reauthenticate: mayReauthenticate } = session.authorization ?? {}
  if (type === 'reauth' && mayReauthenticate === false) {
    throw authError(
      'Forbidden',
      'AuthenticationFlowNotAllowed',
      'the authorization request asks for a login',
    )
  }
  const isClosed = config.current.authentication.public_signup_disabled && !isInvited
  if (type === 'signup' && isClosed) {
    throw authError(
      'Forbidden',
      'AuthenticationFlowNoPublicSignup',
      'signing up is not open to the public',
    )
  }
}

/** Reads a parameter of the authorization request. */
function parametersOf(
  { url_query: bodyQuery = '' }: CreateFlowParams,
  { query = '' }: RequestContext,
): (key: string) => string | null {
  const body = new URLSearchParams(bodyQuery)
  const address = new URLSearchParams(query)
  return (key) => body.get(key) ?? address.get(key)
}

/** The start of a sign-up whose request has the code of an invitation. Other flows ignore one. */
async function invitedStart(
  auth: AuthContext,
  params: CreateFlowParams,
  context: RequestContext,
): Promise<InvitedStart | undefined> {
  const code = params.type === 'signup' ? parametersOf(params, context)('x_invitation') : null
  return code === null ? undefined : beginInvited(auth, code)
}

async function createSession(
  auth: AuthContext,
  params: CreateFlowParams,
  context: RequestContext,
  now: number,
): Promise<FlowSession> {
  const { type, name, client_context: said } = params
  const read = parametersOf(params, context)
  const reference = read('x_ref')
  const authorization =
    (reference !== null && (await auth.bridge.current?.resolve(reference))) || null
  const hint = authorization?.login_hint ?? read('login_hint')
  return {
    flow_id: createFlowId(auth.random),
    root: { type, name },
    created_at: now,
    client_id: authorization?.client_id ?? read('client_id'),
    ui_locales: authorization?.ui_locales ?? read('ui_locales'),
    state: read('state'),
    x_state: read('x_state'),
    ...clientContext(said),
    ...(hint === null ? {} : { login_hint: hint, ...(await demandedLogin(auth, hint)) }),
    authorization,
  }
}
