import { needAccount } from '../flow/account.ts'
import type { NodeHandler } from '../flow/view.ts'
import { deviceTokenRequest } from '../kinds/oob-otp/otp-prompt.ts'

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
