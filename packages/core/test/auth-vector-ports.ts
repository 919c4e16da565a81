import type { BotVerifier, Hook, HookAnswer } from '@gatehouse/core/auth'
import type { ManualClock } from '@gatehouse/core/testing'

/** The answers of a vector's hook by event. `fails`: it rejects; `hangs`: it does not answer within five seconds. */
export type VectorHook = Readonly<Record<string, unknown>>

/** A hook that allows every event that the vector does not list. */
export function createVectorHook(answers: VectorHook, clock: ManualClock): Hook {
  return async ({ type }) => {
    const answer = answers[type] ?? { is_allowed: true }
    if (answer === 'fails') throw new Error('the hook of a vector failed')
    if (answer === 'hangs') {
      clock.advance(5_000)
      return new Promise(() => {})
    }
    // Vectors also test answers that do not match the type.
    return answer as HookAnswer
  }
}

/**
 * Accepts a response that begins with `human`. Fails for one that begins with `away`, as if the provider could not be reached.
 */
export const vectorBotVerifier: BotVerifier = {
  async verify({ response }) {
    if (response.startsWith('away')) throw new Error('the provider cannot be reached')
    return response.startsWith('human') ? 'passed' : 'failed'
  },
}
