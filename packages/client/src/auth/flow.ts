import { splitPlace } from '../call.ts'
import { isClientError } from '../client-error.ts'
import type { CallOptions, Requester } from '../request.ts'
import type {
  AuthCalls,
  AuthenticateInput,
  AuthFailure,
  CreateAuthenticatorInput,
  CreatePasskeyInput,
  CreateTotpInput,
  FillInProfileInput,
  FlowAction,
  FlowInput,
  FlowState,
  FlowType,
  IdentifyInput,
  KeepAccountInput,
  LinkAccountInput,
  NewPasswordInput,
  ProviderInput,
  RecoveryIdentifyInput,
  SelectChannelInput,
  SelectDestinationInput,
  TerminateOtherSessionsInput,
  VerifyOtpInput,
  VerifyRecoveryCodeInput,
  ViewRecoveryCodeInput,
} from '../types.ts'
import { type ApprovalOptions, awaitApproval } from './approval.ts'

/** The input of each prompt, by name: the `data.type` of its action, or the `type` of an action without data. */
export interface FlowInputs {
  identification_data: IdentifyInput
  account_recovery_identification_data: RecoveryIdentifyInput
  account_linking_identification_data: LinkAccountInput
  oauth_data: ProviderInput
  authentication_data: AuthenticateInput
  create_authenticator_data: CreateAuthenticatorInput
  create_totp_data: CreateTotpInput
  select_oob_otp_channels_data: SelectChannelInput
  verify_oob_otp_data: VerifyOtpInput
  view_recovery_code_data: ViewRecoveryCodeInput
  create_passkey_data: CreatePasskeyInput
  new_password_data: NewPasswordInput
  account_recovery_select_destination_data: SelectDestinationInput
  account_recovery_verify_code_data: VerifyRecoveryCodeInput
  fill_in_user_profile: FillInProfileInput
  check_account_status: KeepAccountInput
  terminate_other_sessions: TerminateOtherSessionsInput
  /** The flow has ended and takes no input. */
  finished: never
}

/** The name of a prompt. */
export type PromptName = keyof FlowInputs

type PromptOf<Action extends FlowAction> = Action['data'] extends { readonly type: infer Name }
  ? Name
  : Action['type']

type ActionAt<Name, Action extends FlowAction = FlowAction> = Action extends FlowAction
  ? Name extends PromptOf<Action>
    ? Action
    : never
  : never

/** A flow at one prompt. */
export interface FlowAt<Name extends PromptName> {
  /** What the flow asks for. It narrows the flow: its `action` and the input of `submit()`. */
  readonly prompt: Name
  /** What to show: the options, and other data. */
  readonly action: ActionAt<Name>
  /** The type of the flow; a `signup_login` becomes one of the two once the user is known. */
  readonly type: FlowType
  readonly name: string
  /** Resumes the flow: see `resume()`. Who has it can continue the flow, so keep it as secret as a session. */
  readonly token: string
  /**
   * Sends the input, and returns the flow at its next prompt.
   *
   * @throws {GatehouseClientError} if it is refused. This flow stays as it is, and takes another input.
   */
  submit(input: FlowInputs[Name], options?: CallOptions): Promise<Flow>
  /**
   * Sends an input that the types do not know, for kinds of the app's own, or several inputs at once.
   *
   * @throws {GatehouseClientError} if one is refused.
   */
  send(input: FlowInput | readonly FlowInput[] | object, options?: CallOptions): Promise<Flow>
  /** Reads the prompt again, with its current values. @throws {GatehouseClientError} */
  refresh(options?: CallOptions): Promise<Flow>
  /**
   * Where a link was sent: waits until it is approved, on any device. Then `submit({ check: true })` continues.
   *
   * @throws {GatehouseClientError} if the flow ends or expires meanwhile.
   */
  readonly approved: Name extends 'verify_oob_otp_data'
    ? (options?: ApprovalOptions) => Promise<FlowAt<'verify_oob_otp_data'>>
    : undefined
}

/** A flow at any prompt. Check `prompt` to narrow it. */
export type Flow = { [Name in PromptName]: FlowAt<Name> }[PromptName]

/** A flow at a state. */
export function flowAt(requester: Requester, state: FlowState): Flow {
  const { state_token: token, type, name, action } = state
  const { type: prompt = action.type } = action.data as { readonly type?: string }
  const post = async (place: FlowPlace, body: object, options?: CallOptions): Promise<Flow> =>
    flowAt(requester, await requestState(requester, place, body, options))
  const send = (input: object, options?: CallOptions): Promise<Flow> => {
    const inputs = Array.isArray(input) ? { batch_input: input } : { input }
    return post(
      'POST /api/v1/authentication_flows/states/input',
      { state_token: token, ...inputs },
      options,
    )
  }
  const refresh = (options?: CallOptions): Promise<Flow> =>
    post('POST /api/v1/authentication_flows/states', { state_token: token }, options)
  const { websocket_url: url } = action.data as { readonly websocket_url?: string }
  const look = async (options: CallOptions): Promise<Flow | undefined> => {
    const flow = await refresh(options)
    const isWaiting = flow.prompt === 'verify_oob_otp_data' && !flow.action.data.can_check
    return isWaiting ? undefined : flow
  }
  const approved =
    url === undefined
      ? undefined
      : (options: ApprovalOptions = {}) => awaitApproval(requester, { url, look }, options)
  const flow = { prompt, action, type, name, token, send, submit: send, refresh, approved }
  // The service answers as the schemas say, and `prompt` is made of the action.
  return flow as unknown as Flow
}

type FlowPlace =
  | 'POST /api/v1/authentication_flows'
  | 'POST /api/v1/authentication_flows/states'
  | 'POST /api/v1/authentication_flows/states/input'

/** The state that a request leads to. Its body may have inputs that the types do not know. @throws {GatehouseClientError} */
export async function requestState(
  { json }: Requester,
  place: FlowPlace,
  body: object,
  options: CallOptions = {},
): Promise<FlowState> {
  const { method, path } = splitPlace(place)
  return (await json<AuthCalls[FlowPlace]['answer']>(path, { method, body, ...options })).result
}

/** The state that a failed request was made to. */
export function refusedState(error: unknown): FlowState | undefined {
  return isClientError(error) ? (Object(error.body) as Partial<AuthFailure>).result : undefined
}
