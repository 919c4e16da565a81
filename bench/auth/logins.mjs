// How many people can sign in with a password per second, and how long the event loop is blocked meanwhile.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createFlow, createUser } from '@gatehouse/core'
import { createScryptHasher } from '@gatehouse/core/auth'
import { createService, password, requestOf, stateOf } from './service.mjs'

const email = 'maya@harborlight.example'
const atOnce = 8

/** With the default hasher of a service. @param {number} forMs */
export async function measureLogins(forMs) {
  const { auth } = createService({}, { hasher: createScryptHasher() })
  await createUser(auth, { email, password })
  const inputs = [
    { identification: 'email', login_id: email },
    { authentication: 'primary_password', password },
  ]
  let calls = 0
  const login = async () => {
    const params = /** @type {const} */ ({ type: 'login', name: 'default', batch_input: inputs })
    stateOf(await createFlow(auth, params, requestOf(calls++)))
  }
  await login()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const start = performance.now()
  let done = 0
  delay.enable()
  const again = async () => {
    while (performance.now() - start < forMs) {
      await login()
      done++
    }
  }
  await Promise.all(Array.from({ length: atOnce }, again))
  delay.disable()
  return {
    'logins with a password': (done * 1_000) / (performance.now() - start),
    'event-loop delay meanwhile, p99': delay.percentile(99) / 1e6,
  }
}
