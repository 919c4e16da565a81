import { needAccount } from '../flow/account.ts'
import type { FlowInput, FlowView, NodeHandler, Reaction } from '../flow/view.ts'

/** Whether the step under way may be skipped next time on this device. */
export function isDeviceTokenOffered({ state }: FlowView): boolean {
  return state.step?.type === 'authenticate' && state.notes.device_token_enabled === true
}

/** What the wish for a device token comes to, once the factor it was sent with is proven. */
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
 * A prompt of an authenticator behind which the device is trusted, if that was asked for: with its own input, or with the choice of the
 * option that has led to it.
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
