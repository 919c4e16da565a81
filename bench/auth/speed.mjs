// How many flows can begin per second, and how long an input without password hashing takes.
import { performance } from 'node:perf_hooks'
import { advanceFlow, createFlow, createUser } from '@gatehouse/core'
import { rate } from '../storage/rate.mjs'
import { createService, goThrough, requestOf, stateOf } from './service.mjs'
import { quantile } from './statistics.mjs'

const users = 1_000
/** @param {number} index */
const emailOf = (index) => `person${index % users}@harborlight.example`

/** @param {number} forMs */
export async function measureCreate(forMs) {
  const { auth } = createService()
  const create = (/** @type {number} */ call) =>
    createFlow(auth, { type: 'login', name: 'default' }, requestOf(call))
  stateOf(await create(0))
  return {
    'flows created': await rate(create, { forMs }),
    'flows created, 64 at once': await rate(create, { forMs, atOnce: 64 }),
  }
}

/**
 * The inputs before the password: in a sign-up the address and the code sent to it, in a login the address of an existing user.
 *
 * @param {number} forMs
 */
export async function measureInputs(forMs) {
  const { auth, outbox } = createService()
  for (let index = 0; index < users; index++) await createUser(auth, { email: emailOf(index) })
  /** @type {number[]} */
  const times = []
  const timed = async (/** @type {string} */ token, /** @type {number} */ call, input) => {
    const start = performance.now()
    const result = await advanceFlow(auth, { state_token: token, input }, requestOf(call))
    times.push(performance.now() - start)
    return stateOf(result)
  }
  const both = async (/** @type {number} */ call) => {
    const login = await goThrough(auth, call, 'login')
    await timed(login.state_token, call, { identification: 'email', login_id: emailOf(call) })
    const signup = await goThrough(auth, call, 'signup')
    const email = `new${call}@harborlight.example`
    const asked = await timed(signup.state_token, call, {
      identification: 'email',
      login_id: email,
    })
    await timed(asked.state_token, call, { code: outbox.codeTo(email) })
    outbox.clear()
  }
  for (let call = 0; call < 500; call++) await both(call)
  times.length = 0
  const start = performance.now()
  for (let call = 500; performance.now() - start < forMs; call++) await both(call)
  const spent = times.reduce((sum, time) => sum + time, 0)
  return {
    'inputs without a hash': (times.length * 1_000) / spent,
    'input without a hash, p50': quantile(times, 0.5),
    'input without a hash, p99': quantile(times, 0.99),
  }
}
