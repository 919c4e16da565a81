// Whether the response time reveals who has an account or a password. Requests of all kinds take turns, so that other load on the
// machine affects all of them alike.
import { performance } from 'node:perf_hooks'
import { advanceFlow, createUser } from '@gatehouse/core'
import { createScryptHasher } from '@gatehouse/core/auth'
import { createService, goThrough, password, requestOf } from './service.mjs'
import { mannWhitney, quantile, welch } from './statistics.mjs'

/** @typedef {import('./service.mjs').AuthContext} AuthContext */
/** @typedef {import('./service.mjs').FlowInput} FlowInput */

/**
 * @typedef {object} Comparison
 * @property {string} request
 * @property {string} kind
 * @property {string} against
 * @property {number} medianMs
 * @property {number} againstMs
 * @property {number} t Welch's
 * @property {number} z of Mann and Whitney
 * @property {number} shorter how often a time of the one is shorter than one of the other
 */

/** The user of a request. Each kind has as many users as samples, so that no per-user limit applies. */
const kinds = /** @type {const} */ (['has a password', 'has no password', 'does not exist'])

/** @typedef {(typeof kinds)[number]} Kind */

/** @param {Kind} kind @param {number} sample */
const emailOf = (kind, sample) => `${kind.replaceAll(' ', '-')}-${sample}@harborlight.example`

const sections = { authentication: { enumeration_protection: 'login' } }

/**
 * @param {{ samples: number, cost: number }} options
 * @returns {Promise<Comparison[]>}
 */
export async function compareTimes({ samples, cost }) {
  const { auth } = createService(sections, { hasher: createScryptHasher({ N: cost }) })
  for (let sample = 0; sample < samples; sample++) {
    await createUser(auth, { email: emailOf('has a password', sample), password })
    await createUser(auth, { email: emailOf('has no password', sample) })
  }
  /** @type {Map<string, Map<Kind, number[]>>} */
  const times = new Map()
  const note = (
    /** @type {string} */ request,
    /** @type {Kind} */ kind,
    /** @type {number} */ ms,
  ) => {
    const row = times.get(request) ?? new Map()
    times.set(request, row.set(kind, [...(row.get(kind) ?? []), ms]))
  }
  const warmUp = Math.min(100, samples)
  for (let turn = -warmUp; turn < samples; turn++) {
    const sample = Math.abs(turn) % samples
    for (let step = 0; step < kinds.length; step++) {
      const kind = kinds[(turn + warmUp + step) % kinds.length]
      for (const { request, ms } of await timesOf(auth, kind, sample, turn + warmUp)) {
        if (turn >= 0) note(request, kind, ms)
      }
    }
  }
  return [...times].flatMap(([request, rows]) => [
    comparison(request, rows, 'has a password', 'does not exist'),
    comparison(request, rows, 'has a password', 'has no password'),
    comparison(request, rows, 'has no password', 'does not exist'),
  ])
}

/**
 * @param {AuthContext} auth
 * @param {Kind} kind
 * @param {number} sample
 * @param {number} turn
 */
async function timesOf(auth, kind, sample, turn) {
  const client = turn * kinds.length + kinds.indexOf(kind)
  const identify = { identification: 'email', login_id: emailOf(kind, sample) }
  const login = await goThrough(auth, client, 'login')
  const named = await timed(auth, client, login.state_token, identify)
  const wrong = { authentication: 'primary_password', password: 'not-the-password' }
  const shown = await timed(auth, client, named.token, wrong)

  const recovery = await goThrough(auth, client, 'account_recovery')
  const sought = await timed(auth, client, recovery.state_token, identify)
  const sent = await timed(auth, client, sought.token, { index: 0 })
  await Promise.all(auth.sending)
  return [
    { request: 'login: the address', ms: named.ms },
    { request: 'login: a wrong password', ms: shown.ms },
    { request: 'recovery: the address', ms: sought.ms },
    { request: 'recovery: send a link', ms: sent.ms },
  ]
}

/**
 * @param {AuthContext} auth
 * @param {number} client
 * @param {string} token
 * @param {FlowInput} input
 */
async function timed(auth, client, token, input) {
  const request = requestOf(client)
  const start = performance.now()
  const result = await advanceFlow(auth, { state_token: token, input }, request)
  const ms = performance.now() - start
  if (!result.ok && result.error.reason !== 'InvalidCredentials') {
    throw new Error(`${result.error.reason}: ${JSON.stringify(result.error.info)}`)
  }
  return { ms, token: result.ok ? result.result.state_token : token }
}

/**
 * @param {string} request
 * @param {ReadonlyMap<Kind, readonly number[]>} rows
 * @param {Kind} kind
 * @param {Kind} against
 * @returns {Comparison}
 */
function comparison(request, rows, kind, against) {
  const [one, other] = [rows.get(kind) ?? [], rows.get(against) ?? []]
  return {
    request,
    kind,
    against,
    medianMs: quantile(one, 0.5),
    againstMs: quantile(other, 0.5),
    t: welch(one, other),
    ...mannWhitney(one, other),
  }
}
