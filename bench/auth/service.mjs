// A service in memory with its default limits, and requests from many addresses.
import { advanceFlow, createAuth, createFlow } from '@gatehouse/core'
import { createScryptHasher } from '@gatehouse/core/auth'
import { createMessageOutbox } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'

/** @typedef {import('@gatehouse/core').AuthContext} AuthContext */
/** @typedef {import('@gatehouse/core').FlowState} FlowState */
/** @typedef {import('@gatehouse/core').FlowResult} FlowResult */
/** @typedef {import('@gatehouse/core').FlowInput} FlowInput */
/** @typedef {import('@gatehouse/core/auth').CreateFlowParams} CreateFlowParams */
/** @typedef {import('@gatehouse/core').Storage} Storage */

export const password = 'tidal-lantern-42'

/** With a cost so low that hashing takes no time. */
const cheapHasher = () => createScryptHasher({ N: 2, r: 1, p: 1, maxWaiting: 10_000 })

/**
 * @param {object} [sections] of the configuration
 * @param {Partial<import('@gatehouse/core').AuthOptions>} [options]
 */
export function createService(sections = {}, options = {}) {
  const outbox = createMessageOutbox()
  const auth = createAuth({
    storage: createMemoryStorage(),
    config: { id: 'bench', http: { public_origin: 'https://auth.example.com' }, ...sections },
    secrets: [{ id: 'k1', key: 'key of the benchmark, of at least 32 bytes' }],
    senders: outbox.senders,
    hasher: cheapHasher(),
    ...options,
  })
  return { auth, outbox }
}

/** Limits count by address, so every request has its own. @param {number} client */
export const requestOf = (client) => ({
  ip: `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`,
  userAgent: 'bench',
})

/**
 * @param {FlowResult} result
 * @returns {FlowState}
 */
export function stateOf(result) {
  if (result.ok) return result.result
  throw new Error(`${result.error.reason}: ${JSON.stringify(result.error.info)}`)
}

/**
 * Creates a flow and feeds inputs to it, one state after another.
 *
 * @param {AuthContext} auth
 * @param {number} client
 * @param {CreateFlowParams['type']} type
 * @param {...FlowInput} inputs
 */
export async function goThrough(auth, client, type, ...inputs) {
  const request = requestOf(client)
  let state = stateOf(await createFlow(auth, { type, name: 'default' }, request))
  for (const input of inputs) {
    state = stateOf(await advanceFlow(auth, { state_token: state.state_token, input }, request))
  }
  return state
}
