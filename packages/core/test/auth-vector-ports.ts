import type { BotVerifier, Hook, HookAnswer } from '@gatehouse/core/auth'
import type { LdapClient } from '@gatehouse/core/ldap'
import type { ManualClock } from '@gatehouse/core/testing'
import { ldapError } from '../src/auth/ldap-client/ldap-error.ts'

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

/** Users of a directory, by name. */
export type VectorDirectory = Readonly<
  Record<
    string,
    {
      readonly password: string
      readonly user_id: string
      readonly claims: Readonly<Record<string, string>>
    }
  >
>

/** A directory with these users. */
export const createVectorDirectory = (users: VectorDirectory): LdapClient => ({
  async authenticate({ name }, { username, password }) {
    if (username === 'away') throw ldapError(name, 'could not be asked (ECONNREFUSED)')
    const user = users[username]
    if (user === undefined || user.password !== password) return undefined
    return { user_id: user.user_id, dn: `uid=${username}`, claims: user.claims }
  },
})
