// Sign-ups and sign-ins compared with better-auth, and an input that hashes nothing compared with its session look-up.
import { performance } from 'node:perf_hooks'
import { median } from '../lib/table.mjs'
import { makeFolder } from '../storage/folder.mjs'
import { leastCost, openBetterAuth, openGatehouse, usualCost } from './contenders.mjs'
import { password } from './service.mjs'
import { standardError } from './statistics.mjs'

/** @typedef {import('./contenders.mjs').Ask} Ask */
/** @typedef {import('./contenders.mjs').ScryptCost} ScryptCost */
/** @typedef {Awaited<ReturnType<typeof openContenders>>} Contenders */

/**
 * @typedef {object} Pair figures of both libraries, measured in turns
 * @property {string} name
 * @property {'/s' | 'ms'} unit
 * @property {number} ours
 * @property {number} theirs
 * @property {number} [error] the standard error of the ratio, for measures whose turns differ by more than the differences of interest
 */

/** Both hash on at least as many threads as there are processors. */
const atOnce = 8
/** The number of people who sign in. */
const people = 64

/** @param {string} kind @param {number} index */
const emailOf = (kind, index) => `${kind}${index}@harborlight.example`

/**
 * @param {Promise<Response>} asked
 * @returns {Promise<any>} the JSON of the response
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
 * The requests of each library that hash nothing, one after another, on its own database.
 *
 * @param {Contenders['gatehouse']} gatehouse
 * @param {Contenders['betterAuth']} betterAuth whose people have signed up
 */
async function unhashedRequests({ ask, outbox }, { ask: theirs }) {
  for (let index = 0; index < people; index++) {
    await ourRequests(ask).signUp(emailOf('person', index))
  }
  const begin = async (/** @type {string} */ type) =>
    (await answerOf(ask('', { type, name: 'default' }))).result.state_token
  const feed = async (/** @type {string} */ token, /** @type {object} */ input) =>
    (await answerOf(ask('/states/input', { state_token: token, input }))).result
  const { headers } = await theirs('/sign-in/email', { email: emailOf('person', 0), password })
  const cookie = headers.getSetCookie().map((one) => one.split(';', 1)[0])
  const session = { cookie: cookie.join('; ') }
  let calls = 0
  const newEmail = () => emailOf('new', ++calls)

  /** Each returns how long its request took, in ms, without the requests before it. */
  const timed = async (/** @type {() => Promise<unknown>} */ work) => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }
  return {
    session: () =>
      timed(async () => {
        const { user } = await answerOf(theirs('/get-session', undefined, session))
        if (user.email !== emailOf('person', 0))
          throw new Error('the session belongs to another user')
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

/** How many requests a turn makes; with fewer, waiting for the last ones would distort the rate. */
const each = 16

/** The rate of one turn, per second. @param {() => Promise<unknown>} work */
async function turn(work) {
  const start = performance.now()
  let left = each
  const lane = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return (each * 1_000) / (performance.now() - start)
}

/**
 * The rates of both, in short alternating turns, because the machine's hashing speed changes from second to second.
 *
 * @param {string} name
 * @param {() => Promise<unknown>} ours
 * @param {() => Promise<unknown>} theirs
 * @param {number} forMs
 * @returns {Promise<Pair>}
 */
async function rates(name, ours, theirs, forMs) {
  await turn(ours)
  await turn(theirs)
  /** @type {{ ours: number[], theirs: number[] }} */
  const done = { ours: [], theirs: [] }
  for (const start = performance.now(); performance.now() - start < forMs; ) {
    done.ours.push(await turn(ours))
    done.theirs.push(await turn(theirs), await turn(theirs))
    done.ours.push(await turn(ours))
  }
  const ratios = done.ours.map((ours, turn) => ours / (done.theirs[turn] ?? ours))
  const error = standardError(ratios)
  return { name, unit: '/s', ours: median(done.ours), theirs: median(done.theirs), error }
}

/**
 * @param {Contenders} contenders
 * @param {{ forMs: number, more?: string }} options
 * @returns {Promise<Pair[]>}
 */
async function measureRates({ gatehouse, betterAuth }, { forMs, more = '' }) {
  const [ours, theirs] = [ourRequests(gatehouse.ask), theirRequests(betterAuth.ask)]
  for (let index = 0; index < people; index++) {
    const email = emailOf('person', index)
    await Promise.all([ours.signUp(email), theirs.signUp(email)])
  }
  let calls = 0
  const signUp = (/** @type {Requests} */ requests) => () =>
    requests.signUp(emailOf('joins', ++calls))
  const signIn = (/** @type {Requests} */ requests) => () =>
    requests.signIn(emailOf('person', ++calls % people))
  return [
    await rates(`sign-ups${more}`, signUp(ours), signUp(theirs), forMs),
    await rates(`sign-ins${more}`, signIn(ours), signIn(theirs), forMs),
  ]
}

/** How many warm-up requests come before a measurement. */
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
 * Neither limits attempts, so that both do the same work.
 *
 * @param {string} folder
 * @param {ScryptCost} cost
 */
async function openContenders(folder, cost) {
  const gatehouse = openGatehouse(folder, cost, { limits: false })
  const betterAuth = await openBetterAuth(folder, cost)
  const close = async () => {
    await gatehouse.close()
    await betterAuth.close()
  }
  return { gatehouse, betterAuth, close }
}

/** Slow operations are measured this many times as long, to resolve a difference of a hundredth. */
const longer = 8

/**
 * @param {number} forMs how long each figure is measured
 * @returns {Promise<Pair[]>}
 */
export async function measureAgainstPeer(forMs) {
  const folder = makeFolder()
  const usual = await openContenders(folder.path, usualCost)
  const quick = await openContenders(folder.path, leastCost)
  // With default limits: these figures are not compared with equal work of better-auth anyway.
  const limited = openGatehouse(folder.path, leastCost, { limits: true })
  try {
    return [
      ...(await measureRates(usual, { forMs: longer * forMs })),
      ...(await measureRates(quick, { forMs, more: ', as good as no hash' })),
      ...(await measureSteps(await unhashedRequests(limited, quick.betterAuth), forMs)),
    ]
  } finally {
    await usual.close()
    await quick.close()
    await limited.close()
    folder.remove()
  }
}
