import type { Instant } from '../../../time/clock.ts'
import type { Channel, Step } from '../../config/flow-definition.ts'
import type { AuthContext } from '../../context.ts'
import { findFlow } from '../../default-flows/find-flow.ts'
import { validationFailed } from '../../errors.ts'
import { beginRun } from '../../flow/run.ts'
import type { FlowSession, FlowSnapshot } from '../../flow/state.ts'
import type { FlowInput, RequestFacts } from '../../flow/view.ts'
import { type FoundLink, findLink } from '../../kinds/oob-otp/find-link.ts'
import { maskEmail, maskPhone } from '../../login-ids/mask.ts'
import { destinationNote } from '../../recovery/recovery-destination.ts'
import { type RecoveryCodeNode, resetFailed } from '../../recovery/verify-account-recovery-code.ts'
import { createFlowId } from '../../secrets/tokens.ts'
import type { FlowResult } from '../flow-result.ts'
import { feedInputs } from './run-flow.ts'

/** A request without a state; it must carry the code of a recovery link. */
export interface RestoreRequest {
  readonly request: RequestFacts
  readonly inputs: readonly FlowInput[]
  readonly now: Instant
}

/**
 * Continues an account recovery where its link was opened, possibly in another browser: creates a new flow at the step that asks
 * for the code.
 *
 * @throws {GatehouseError} `PasswordResetFailed`; `ValidationFailed` if there is no such code in the input.
 */
export async function restoreRecovery(
  auth: AuthContext,
  { request, inputs, now }: RestoreRequest,
): Promise<FlowResult> {
  const code = inputs[0]?.account_recovery_code
  if (typeof code !== 'string') throw stateTokenMissing()
  const link = await findLink(auth, code.trim())
  const isRecovery = link?.purpose === 'forgot_password' && link.state !== 'replaced'
  if (!isRecovery || link.user_id === null) throw resetFailed('InvalidCode', 'link')
  if (link.state === 'used') throw resetFailed('UsedCode', 'link')
  const session = sessionOf(auth, link, now)
  const state = stateAt(auth, session, link, link.user_id)
  const start = { state, session, version: undefined }
  const run = beginRun({ auth, request, session, now })
  return { ok: true, ...(await feedInputs(run, start, inputs)) }
}

const stateTokenMissing = (): Error =>
  validationFailed(
    [
      {
        location: '',
        kind: 'required',
        details: { actual: ['input'], expected: ['state_token'], missing: ['state_token'] },
      },
    ],
    'invalid request body',
  )

function sessionOf(
  auth: AuthContext,
  { flow_name: name, client_id }: FoundLink,
  now: Instant,
): FlowSession {
  return {
    flow_id: createFlowId(auth.random),
    root: { type: 'account_recovery', name },
    created_at: now,
    client_id,
    ui_locales: null,
    state: null,
    x_state: null,
    authorization: null,
  }
}

function stateAt(
  auth: AuthContext,
  session: FlowSession,
  link: FoundLink,
  userId: string,
): FlowSnapshot {
  const { name } = session.root
  const { channel, target } = link
  const masked = channel === 'email' ? maskEmail(target) : maskPhone(target)
  const destination = { target, masked, channel, form: 'link' } as const
  const node: RecoveryCodeNode = {
    kind: 'verify_account_recovery_code',
    user_id: userId,
    destination,
  }
  const steps = findFlow(auth.config.current, 'account_recovery', name)?.steps ?? []
  return {
    flow_id: session.flow_id,
    type: 'account_recovery',
    name,
    step: { type: 'verify_account_recovery_code' },
    node,
    after: [],
    pending: stepsAfterCode(steps, channel) ?? [{ type: 'reset_password' }],
    entered: [{ type: 'verify_account_recovery_code' }],
    facts: [{ kind: 'user_identified', user_id: userId }],
    notes: destinationNote(destination),
  }
}

/** The steps after the one that asks for the code, at any depth; of several branches, in the first that sends such links. */
function stepsAfterCode(steps: readonly Step[], channel: Channel): readonly Step[] | undefined {
  for (const [index, step] of steps.entries()) {
    const rest = steps.slice(index + 1)
    if (step.type === 'verify_account_recovery_code') return rest
    const ways = (step.type === 'identify' ? step.one_of : []).flatMap(({ steps: own = [] }) => {
      const after = stepsAfterCode(own, channel)
      return after === undefined ? [] : [{ after, sends: sendsLinks(own, channel) }]
    })
    const way = ways.find(({ sends }) => sends) ?? ways[0]
    if (way !== undefined) return [...way.after, ...rest]
  }
  return undefined
}

const sendsLinks = (steps: readonly Step[], by: Channel): boolean =>
  steps.some(
    (step) =>
      step.type === 'select_destination' &&
      step.allowed_channels.some(({ channel, otp_form }) => channel === by && otp_form === 'link'),
  )
