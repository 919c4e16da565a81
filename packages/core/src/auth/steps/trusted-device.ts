import { needAccount } from '../flow/account.ts'
import type { FlowInput, FlowView, NodeHandler, Reaction } from '../flow/view.ts'

/** Whether the current step can be skipped next time on this device. */
export function isDeviceTokenOffered({ state }: FlowView): boolean {
  return state.step?.type === 'authenticate' && state.notes.device_token_enabled === true
}

/** Creates a device token if the input or an earlier one requested it. Call once the factor is proven. */
export function deviceTokenRequest(
  view: FlowView,
  input: FlowInput,
  userId: string | null,
): Pick<Reaction, 'effects'> {
  const isAsked =
    input.request_device_token === true || view.state.notes.request_device_token === true
  if (!isAsked || !isDeviceTokenOffered(view) || userId === null) return {}
  return { effects: [{ kind: 'create_device_token', user_id: userId }] }
}

/**
 * Wraps the prompt of an authenticator, so that the device is trusted afterwards if requested: by the prompt's own input, or by
 * the input that led to it.
 */
export function trustingPrompt(prompt: NodeHandler): NodeHandler {
  return {
    ...prompt,
    *react(node, input, view) {
      const reaction = yield* prompt.react(node, input, view)
      if (reaction.node !== undefined) return reaction
      const { user } = yield* needAccount(view)
      const { effects = [] } = deviceTokenRequest(view, input, user.id)
      return { ...reaction, effects: [...(reaction.effects ?? []), ...effects] }
    },
  }
}
