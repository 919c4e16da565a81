// Sign-ups and sign-ins against those of better-auth, and what an input costs that hashes nothing against one of its look-ups of a
// session.
import { performance } from 'node:perf_hooks'
import { makeFolder } from '../storage/folder.mjs'
import { openBetterAuth, openGatehouse } from './contenders.mjs'
import { password } from './service.mjs'

/** @typedef {import('./contenders.mjs').Ask} Ask */

/**
 * @typedef {object} Pair what was measured of both, in turns
 * @property {string} name
 * @property {'/s' | 'ms'} unit
 * @property {number} ours
 * @property {number} theirs
 */

/** Both hash on as many threads as there are processors, or more. */
const atOnce = 8
/** Whoever signs in is one of those. */
const people = 64

/** @param {string} kind @param {number} index */
const emailOf = (kind, index) => `${kind}${index}@harborlight.example`

/**
 * @param {Promise<Response>} asked
 * @returns {Promise<any>} the JSON it answers
 */
async function answerOf(asked) {
  const response = await asked
  const text = await response.text()
  if (response.status !== 200) throw new Error(`answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** A whole flow in one request. @param {Ask} ask @param {string} type @param {object[]} inputs */
async function flow(ask, type, inputs) {
  const { result } = await answerOf(ask('', { type, name: 'default', batch_input: inputs }))
  if (result.action.type !== 'finished') throw new Error(`the flow is at ${result.action.type}`)
}

/** @param {Ask} ask */
const ourRequests = (ask) => ({
  signUp: (/** @type {string} */ email) =>
    flow(ask, 'signup', [
      { identification: 'email', login_id: email },
      { authentication: 'primary_password', new_password: password },
    ]),
  signIn: (/** @type {string} */ email) =>
    flow(ask, 'login', [
      { identification: 'email', login_id: email },
      { authentication: 'primary_password', password },
    ]),
})

/** @param {Ask} ask */
const theirRequests = (ask) => ({
  signUp: (/** @type {string} */ email) =>
    answerOf(ask('/sign-up/email', { email, password, name: 'Maya' })),
  signIn: (/** @type {string} */ email) => answerOf(ask('/sign-in/email', { email, password })),
})

/**
 * What each of them takes that hashes nothing, one request after the other, on its own database.
 *
 * @param {ReturnType<typeof openGatehouse>} gatehouse
 * @param {Ask} theirs
 */
async function unhashedRequests({ ask, outbox }, theirs) {
  const begin = async (/** @type {string} */ type) =>
    (await answerOf(ask('', { type, name: 'default' }))).result.state_token
  const feed = async (/** @type {string} */ token, /** @type {object} */ input) =>
    (await answerOf(ask('/states/input', { state_token: token, input }))).result
  const { headers } = await theirs('/sign-in/email', { email: emailOf('person', 0), password })
  const cookie = headers.getSetCookie().map((one) => one.split(';', 1)[0])
  const session = { cookie: cookie.join('; ') }
  let calls = 0
  const newEmail = () => emailOf('new', ++calls)

  /** Each answers how long its request took, in ms; what has to come before it does not count. */
  const timed = async (/** @type {() => Promise<unknown>} */ work) => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }
  return {
    session: () =>
      timed(async () => {
        const { user } = await answerOf(theirs('/get-session', undefined, session))
        if (user.email !== emailOf('person', 0)) throw new Error('the session is of somebody else')
      }),
    'a flow begins': () => timed(() => begin('login')),
    'login, an address': async () => {
      const token = await begin('login')
      const login_id = emailOf('person', ++calls % people)
      return timed(() => feed(token, { identification: 'email', login_id }))
    },
    'sign-up, an address': async () => {
      const token = await begin('signup')
      return timed(() => feed(token, { identification: 'email', login_id: newEmail() }))
    },
    'recovery, an address, and a code is sent': async () => {
      const token = await begin('account_recovery')
      const login_id = emailOf('person', ++calls % people)
      const { state_token } = await feed(token, { identification: 'email', login_id })
      const took = await timed(() => feed(state_token, { index: 0 }))
      outbox.clear()
      return took
    },
  }
}

/** @param {readonly number[]} values */
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

/** @typedef {ReturnType<typeof ourRequests> | ReturnType<typeof theirRequests>} Requests */

/** So many are asked for in a turn; with fewer, waiting for the last ones would count for much. */
const each = 32

/** What takes so long to do is measured for longer: it is to be told apart by a hundredth. */
const longer = 8

/** How long a turn took, in seconds. @param {() => Promise<unknown>} work */
async function turn(work) {
  const start = performance.now()
  let left = each
  const lane = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return (performance.now() - start) / 1_000
}

/**
 * What one does in a second beside the other, in turns: whatever else the machine does is done to both.
 *
 * @param {string} name
 * @param {() => Promise<unknown>} ours
 * @param {() => Promise<unknown>} theirs
 * @param {number} forMs
 * @returns {Promise<Pair>}
 */
async function rates(name, ours, theirs, forMs) {
  const seconds = { ours: 0, theirs: 0 }
  let done = 0
  for (
    const start = performance.now();
    performance.now() - start < longer * forMs;
    done += 2 * each
  ) {
    seconds.ours += await turn(ours)
    seconds.theirs += await turn(theirs)
    seconds.theirs += await turn(theirs)
    seconds.ours += await turn(ours)
  }
  return { name, unit: '/s', ours: done / seconds.ours, theirs: done / seconds.theirs }
}

/**
 * @param {Requests} ours
 * @param {Requests} theirs
 * @param {number} forMs
 * @returns {Promise<Pair[]>}
 */
async function measureRates(ours, theirs, forMs) {
  let calls = 0
  const signUp = (/** @type {Requests} */ requests) => () =>
    requests.signUp(emailOf('joins', ++calls))
  const signIn = (/** @type {Requests} */ requests) => () =>
    requests.signIn(emailOf('person', ++calls % people))
  return [
    await rates('sign-ups', signUp(ours), signUp(theirs), forMs),
    await rates('sign-ins', signIn(ours), signIn(theirs), forMs),
  ]
}

/** How often each is done before it is measured. */
const warmUps = 200

/**
 * @param {Awaited<ReturnType<typeof unhashedRequests>>} requests
 * @param {number} forMs
 * @returns {Promise<Pair[]>}
 */
async function measureSteps({ session, ...requests }, forMs) {
  for (let turn = 0; turn < warmUps; turn++) {
    for (const request of [session, ...Object.values(requests)]) await request()
  }
  /** @type {Pair[]} */
  const steps = []
  for (const [name, request] of Object.entries(requests)) {
    /** @type {number[]} */
    const ours = []
    /** @type {number[]} */
    const theirs = []
    for (const start = performance.now(); performance.now() - start < forMs; ) {
      ours.push(await request())
      theirs.push(await session())
    }
    steps.push({ name, unit: 'ms', ours: mean(ours), theirs: mean(theirs) })
  }
  return steps
}

/**
 * @param {number} forMs how long each figure is measured
 * @returns {Promise<Pair[]>}
 */
export async function measureAgainstPeer(forMs) {
  const folder = makeFolder()
  const gatehouse = openGatehouse(folder.path)
  const betterAuth = await openBetterAuth(folder.path)
  const [ours, theirs] = [ourRequests(gatehouse.ask), theirRequests(betterAuth.ask)]
  try {
    for (let index = 0; index < people; index++) {
      const email = emailOf('person', index)
      await Promise.all([ours.signUp(email), theirs.signUp(email)])
    }
    return [
      ...(await measureRates(ours, theirs, forMs)),
      ...(await measureSteps(await unhashedRequests(gatehouse, betterAuth.ask), forMs)),
    ]
  } finally {
    await gatehouse.close()
    await betterAuth.close()
    folder.remove()
  }
}
