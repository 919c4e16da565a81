import type { BotVerifier, Hook, HookAnswer } from '@gatehouse/core'
import type { ManualClock } from '@gatehouse/core/testing'

/** What the hook of a vector answers, by the event it is asked about; `fails`: it rejects; `hangs`: five seconds pass, and it does not answer. */
export type VectorHook = Readonly<Record<string, unknown>>

/** A hook that allows what the vector says nothing of. */
export function createVectorHook(answers: VectorHook, clock: ManualClock): Hook {
  return async ({ type }) => {
    const answer = answers[type] ?? { is_allowed: true }
    if (answer === 'fails') throw new Error('a hook of a vector failed')
    if (answer === 'hangs') {
      clock.advance(5_000)
      return new Promise(() => {})
    }
    // What a hook answers that does not keep to its type is what is tested.
    return answer as HookAnswer
  }
}

/** Takes a response that begins with `human` for a person's; nobody can tell of one that begins with `away`. */
export const vectorBotVerifier: BotVerifier = {
  async verify({ response }) {
    if (response.startsWith('away')) throw new Error('the provider is away')
    return response.startsWith('human') ? 'passed' : 'failed'
  },
}
