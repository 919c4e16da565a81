import type { FlowType } from '../auth/config/flow-definition.ts'
import type { AuthContext } from '../auth/context.ts'
import type { FlowInput } from '../auth/flow/view.ts'
import type { FlowResult, FlowState, RequestContext } from '../auth/flows/flow-result.ts'
import { flowInput, requestContext } from '../auth/flows/operation-input.ts'
import type { SetCookie } from '../auth/sessions/cookies.ts'
import {
  anyText,
  type Decode,
  decodeInput,
  exactly,
  flag,
  having,
  listOf,
  objectOf,
  optional,
  rawText,
} from '../input/decode.ts'
import { cookieHeader } from './cookie-header.ts'
import { outboxOf } from './message-outbox.ts'

/** An input, or a function that makes it from the state, such as a code from the secret that the state shows. */
export type DrivenInput = FlowInput | ((state: FlowState) => FlowInput | Promise<FlowInput>)

/** Options of {@link driveFlow}. */
export interface DriveFlowOptions {
  /** The name of the flow (default `default`). */
  readonly name?: string
  /**
   * Whether to answer the prompt for a sent code or link with the newest one in the {@link MessageOutbox} of the service, unless
   * the next input is a function or answers it (default true).
   */
  readonly answersCodes?: boolean
  /** The properties of the client's requests (default none). */
  readonly request?: RequestContext
}

/** Where a driven flow stands. */
export interface DrivenFlow {
  /** The state after the last input. Pass it to {@link driveFlow} or `advanceFlow` to go on. */
  readonly state: FlowState
  /** The cookies that its requests have set, such as those of the session. */
  readonly cookies: readonly SetCookie[]
  /** The same as the `Cookie` header that a browser sends from then on. */
  readonly cookie: string
}

const service = having<AuthContext>('a service that createAuth() made', 'answers', 'readConfig')

const start: Decode<FlowType | Pick<FlowState, 'state_token'>> = (value) =>
  typeof value === 'object' && value !== null
    ? objectOf<Pick<FlowState, 'state_token'>>({ state_token: rawText })(value)
    : (rawText(value) as FlowType)

const drivenInput: Decode<DrivenInput> = (value) =>
  typeof value === 'function' ? (value as DrivenInput) : flowInput(value)

const decodeOptions = exactly<DriveFlowOptions>({
  name: optional(anyText),
  answersCodes: optional(flag),
  request: optional(requestContext),
})

/**
 * Drives a flow through its steps for a test, as a client would: with these inputs, and with the codes that the service has sent
 * to its outbox.
 *
 * @param from the type of a new flow, or a state from which to go on.
 * @throws {Error} if an input is refused, with the step, what it asks and the reason.
 * @throws {GatehouseError} `InvalidInput`
 * @example
 * // const auth = createAuth({ …, senders: createMessageOutbox().senders })
 * const { cookie } = await driveFlow(auth, 'signup', [
 *   { identification: 'email', login_id: 'maya@example.com' },
 *   { authentication: 'primary_password', new_password: 'tidal-lantern-42' },
 * ])
 */
export async function driveFlow(
  auth: AuthContext,
  from: FlowType | Pick<FlowState, 'state_token'>,
  inputs: readonly DrivenInput[],
  options: DriveFlowOptions = {},
): Promise<DrivenFlow> {
  const { senders, sending } = decodeInput('auth', service, auth)
  const begun = decodeInput('from', start, from)
  const left = [...decodeInput('inputs', listOf(drivenInput), inputs)]
  const {
    name = 'default',
    answersCodes = true,
    request = {},
  } = decodeInput('options', decodeOptions, options)
  // Loaded here, so that tests that drive no flow need not load the service.
  const [{ createFlow }, { advanceFlow }, { getFlowState }, { approveLink }] = await Promise.all([
    import('../auth/flows/create-flow.ts'),
    import('../auth/flows/advance-flow.ts'),
    import('../auth/flows/get-flow-state.ts'),
    import('../auth/flows/approve-link.ts'),
  ])
  const cookies = new Map<string, SetCookie>()
  const opened =
    typeof begun === 'string'
      ? await createFlow(auth, { type: begun, name }, request)
      : await getFlowState(auth, begun, request)
  let state = accepted(opened, cookies, (reason) => `the flow does not begin: ${reason}`)
  const total = left.length

  const feed = async (input: FlowInput, which: string): Promise<void> => {
    const result = await advanceFlow(auth, { state_token: state.state_token, input }, request)
    const asked = state
    state = accepted(
      result,
      cookies,
      (reason) =>
        `${which}, ${JSON.stringify(input)}, does not fit the step "${asked.action.type}" of the ${asked.type} flow: ${reason}. The step asks ${JSON.stringify(asked.action)}`,
    )
  }

  for (;;) {
    const given = left[0]
    const asked = answersCodes && !answersItself(given) ? messagePrompt(state) : undefined
    if (asked !== undefined) {
      await Promise.all(sending)
      const code = newestCode(senders, state)
      if (asked === 'link') await approveLink(auth, code)
      const inputs = {
        code: { code },
        recovery: { account_recovery_code: code },
        link: { check: true },
      }
      await feed(inputs[asked], 'the code of the newest message')
      continue
    }
    left.shift()
    if (given === undefined) break
    if (state.action.type === 'finished') {
      const count = left.length + 1
      throw new Error(
        `driveFlow: the ${state.type} flow has finished, but ${count} of ${total} inputs are left`,
      )
    }
    const input =
      typeof given === 'function' ? decodeInput('input', flowInput, await given(state)) : given
    await feed(input, `input ${total - left.length} of ${total}`)
  }
  const all = [...cookies.values()]
  return { state, cookies: all, cookie: cookieHeader(all) }
}

/** The state of a result, whose cookies are noted. @throws {Error} if it is a refusal. */
function accepted(
  result: FlowResult,
  cookies: Map<string, SetCookie>,
  explain: (reason: string) => string,
): FlowState {
  for (const cookie of result.cookies) cookies.set(cookie.name, cookie)
  if (result.ok) return result.result
  const { reason, message, info = {} } = result.error
  const about = Object.keys(info).length === 0 ? '' : ` ${JSON.stringify(info)}`
  throw new Error(`driveFlow: ${explain(`${reason}: ${message}${about}`)}`)
}

/** Whether an input says itself what to do about a sent code. */
const answersItself = (input: DrivenInput | undefined): boolean =>
  typeof input === 'function' ||
  (input !== undefined &&
    ['code', 'account_recovery_code', 'resend', 'check'].some((name) => name in input))

/** What answers the code or the link of a message, if the state asks for one. */
function messagePrompt({ action: { data } }: FlowState): 'code' | 'recovery' | 'link' | undefined {
  if (!('type' in data)) return undefined
  if (data.type === 'account_recovery_verify_code_data') return 'recovery'
  if (data.type !== 'verify_oob_otp_data') return undefined
  return data.otp_form === 'link' ? 'link' : 'code'
}

/** The code, or the code in the link, of the newest message. */
function newestCode(senders: AuthContext['senders'], { action }: FlowState): string {
  const outbox = outboxOf(senders)
  const message = outbox?.messages.findLast(({ code, link }) => code ?? link)
  if (outbox !== undefined && message !== undefined) return outbox.codeTo(message.target)
  const problem =
    outbox === undefined
      ? 'the service sends to no outbox: pass createMessageOutbox().senders to createAuth()'
      : 'no code was sent to the outbox'
  throw new Error(`driveFlow: the step "${action.type}" asks for a code, but ${problem}`)
}
