// The steps of the benchmark, in the order in which every server gets them.
import { performance } from 'node:perf_hooks'
import { textOf } from '../lib/client.mjs'
import { alertBatches, countOf, silenceBodies, warmUpBatches } from './data.mjs'

/** @typedef {import('../lib/client.mjs').Client} Client */
/** @typedef {import('../lib/client.mjs').Answer} Answer */

/**
 * @typedef {object} Goal how many times as fast as Alertmanager
 * @property {number} sqlite
 * @property {number} memory
 */

/**
 * Servers run for weeks, so each gets the same warm-up before it is measured.
 *
 * @typedef {object} WarmUp
 * @property {'warm up'} kind
 * @property {string} name
 * @property {(client: Client) => Promise<void>} run
 */

/**
 * A change is made once or a few times in a round. Its time is the total of all its requests.
 *
 * @typedef {object} Change
 * @property {'change'} kind
 * @property {string} name
 * @property {Goal} goal
 * @property {number} [connections]
 * @property {number} [times] how often it is made in a round (default 1)
 * @property {(alerts: number) => { path: string, bodies: Buffer[] }} requests
 */

/**
 * A question is asked several times in a round; its time is that of one request.
 *
 * @typedef {object} Question
 * @property {'question'} kind
 * @property {string} name
 * @property {Goal} goal
 * @property {string} path
 * @property {boolean} [ofAlerts] its work grows with the number of alerts
 * @property {number} [atOnce] how many clients ask at the same moment; the time is that until the last has its answer (default 1)
 * @property {Change} [before] made before each time, unmeasured
 * @property {(alerts: number) => number} count how many items the answer must have
 * @property {(body: unknown) => Summary} summary the part that must be equal in the answers of all servers
 */

/** @typedef {{ count: number } & Record<string, number | string>} Summary */

/** @param {number} factor @returns {Goal} */
const atLeast = (factor) => ({ sqlite: factor, memory: factor })

const hourMs = 3_600_000
const startedAt = Date.now()
/** @param {number} laterMs */
const timesEnding = (laterMs) => ({
  startsAt: startedAt - 60_000,
  endsAt: startedAt + 2 * hourMs + laterMs,
})

/**
 * @param {any} alerts
 * @returns {Summary}
 */
function summaryOfAlerts(alerts) {
  let fingerprints = 0
  let suppressed = 0
  let silenced = 0
  let inhibited = 0
  for (const { fingerprint, status } of alerts) {
    fingerprints = (fingerprints + Number.parseInt(fingerprint.slice(0, 12), 16)) % 2 ** 48
    if (status.state === 'suppressed') suppressed++
    silenced += status.silencedBy.length
    inhibited += status.inhibitedBy.length
  }
  return { count: alerts.length, fingerprints, suppressed, silenced, inhibited }
}

/**
 * @param {any} groups
 * @returns {Summary}
 */
function summaryOfGroups(groups) {
  const all = summaryOfAlerts(groups.flatMap((/** @type {any} */ group) => group.alerts))
  return { ...all, groups: groups.length }
}

/**
 * @param {any} silences
 * @returns {Summary}
 */
function summaryOfSilences(silences) {
  const active = silences.filter((/** @type {any} */ s) => s.status.state === 'active').length
  return { count: silences.length, active }
}

const someInstance = 'host-00007.example.org:9100'
const somePattern = 'svc-?[a-z]*-4[2]'

/** @param {string} path @param {Record<string, string>} query */
const withQuery = (path, query) => `${path}?${new URLSearchParams(query)}`

/**
 * @param {Client} client
 * @param {string} path
 * @param {Buffer} body
 * @returns {Promise<Answer>}
 */
async function accepted(client, path, body) {
  const answer = await client.post(path, body)
  if (answer.status !== 200) throw new Error(`POST ${path} answered ${answer.status}`)
  return answer
}

/** Posts resolved alerts. @param {Client} client */
async function warmUpAlerts(client) {
  for (const body of warmUpBatches()) await accepted(client, '/api/v2/alerts', body)
}

/** Creates one silence and edits it 3,000 times, so that one remains. @param {Client} client */
async function warmUpSilences(client) {
  const [first] = silenceBodies(1, 'warm')
  const { silenceID } = JSON.parse(textOf(await accepted(client, '/api/v2/silences', first)))
  const silence = JSON.parse(textOf(await client.get(`/api/v2/silence/${silenceID}`)))
  for (let i = 0; i < 3_000; i++) {
    const body = Buffer.from(JSON.stringify({ ...silence, comment: `edit ${i}` }))
    await accepted(client, '/api/v2/silences', body)
  }
}

let postings = 0

/** All alerts again with a later end, as Prometheus sends them. @type {Change} */
const postedAgain = {
  kind: 'change',
  name: 'POST all alerts, repeated, 4 connections',
  goal: { sqlite: 1.5, memory: 2 },
  connections: 4,
  times: 5,
  requests(n) {
    postings += 1
    return { path: '/api/v2/alerts', bodies: alertBatches(n, timesEnding(60_000 + postings)) }
  },
}

/** @type {readonly (WarmUp | Change | Question)[]} */
export const steps = [
  { kind: 'warm up', name: 'alerts', run: warmUpAlerts },
  {
    kind: 'change',
    name: 'POST all alerts, new',
    goal: { sqlite: 2, memory: 3 },
    requests: (n) => ({ path: '/api/v2/alerts', bodies: alertBatches(n, timesEnding(0)) }),
  },
  postedAgain,
  {
    kind: 'change',
    name: 'POST all alerts, repeated without an end, 4 connections',
    goal: { sqlite: 1, memory: 1.5 },
    connections: 4,
    times: 5,
    requests: (n) => ({
      path: '/api/v2/alerts',
      bodies: alertBatches(n, { startsAt: startedAt - 60_000 }),
    }),
  },
  {
    kind: 'question',
    name: 'GET status',
    goal: atLeast(1),
    path: '/api/v2/status',
    count: () => 1,
    summary: (/** @type {any} */ status) => ({ count: 1, cluster: status.cluster.status }),
  },
  {
    kind: 'question',
    name: 'GET alerts',
    goal: atLeast(50),
    ofAlerts: true,
    path: '/api/v2/alerts',
    count: (n) => n,
    summary: summaryOfAlerts,
  },
  {
    kind: 'question',
    name: 'GET alerts, filter =',
    goal: atLeast(200),
    ofAlerts: true,
    path: withQuery('/api/v2/alerts', { filter: `instance="${someInstance}"` }),
    count: (n) => countOf(n, ({ instance }) => instance === someInstance),
    summary: summaryOfAlerts,
  },
  {
    kind: 'question',
    name: 'GET alerts, filter =~',
    goal: atLeast(50),
    ofAlerts: true,
    path: withQuery('/api/v2/alerts', { filter: `service=~"${somePattern}"` }),
    count: (n) => countOf(n, ({ service }) => new RegExp(`^(?:${somePattern})$`).test(service)),
    summary: summaryOfAlerts,
  },
  {
    kind: 'question',
    name: 'GET groups',
    goal: atLeast(50),
    ofAlerts: true,
    path: '/api/v2/alerts/groups',
    count: (n) => n,
    summary: summaryOfGroups,
  },
  {
    kind: 'question',
    name: 'GET alerts, 4 at once, just posted again',
    goal: atLeast(60),
    ofAlerts: true,
    atOnce: 4,
    before: postedAgain,
    path: '/api/v2/alerts',
    count: (n) => n,
    summary: summaryOfAlerts,
  },
  {
    kind: 'question',
    name: 'GET groups, 4 at once, just posted again',
    goal: atLeast(80),
    ofAlerts: true,
    atOnce: 4,
    before: postedAgain,
    path: '/api/v2/alerts/groups',
    count: (n) => n,
    summary: summaryOfGroups,
  },
  { kind: 'warm up', name: 'silences', run: warmUpSilences },
  {
    kind: 'change',
    name: 'POST 200 silences, 4 connections',
    goal: atLeast(0.7),
    connections: 4,
    requests: () => ({ path: '/api/v2/silences', bodies: silenceBodies(200, 'four') }),
  },
  {
    kind: 'question',
    name: 'GET 200 silences',
    goal: atLeast(3),
    path: '/api/v2/silences',
    count: () => 201,
    summary: summaryOfSilences,
  },
  {
    kind: 'change',
    name: 'POST 1,000 silences',
    goal: atLeast(1),
    requests: () => ({ path: '/api/v2/silences', bodies: silenceBodies(1_000, 'one') }),
  },
  {
    kind: 'question',
    name: 'GET alerts, 1,000 silences',
    goal: atLeast(50),
    ofAlerts: true,
    path: '/api/v2/alerts',
    count: (n) => n,
    summary: summaryOfAlerts,
  },
  {
    kind: 'question',
    name: 'GET 1,200 silences',
    goal: atLeast(3),
    path: '/api/v2/silences',
    count: () => 1_201,
    summary: summaryOfSilences,
  },
]

/**
 * Sends all requests of a change and returns how long that took, in milliseconds.
 *
 * @param {Change} step
 * @param {number} alerts
 * @param {Client} client
 */
export async function make(step, alerts, client) {
  const { path, bodies } = step.requests(alerts)
  let next = 0
  const sendRest = async () => {
    while (next < bodies.length) {
      await accepted(client, path, bodies[next++])
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: step.connections ?? 1 }, sendRest))
  return performance.now() - start
}

/**
 * Repeats a question until the answer has the expected number of items (groups fill up a moment after the posts). Returns the
 * summary that is compared between the servers.
 *
 * @param {Question} step
 * @param {number} alerts
 * @param {Client} client
 */
export async function verify(step, alerts, client) {
  const expected = step.count(alerts)
  const deadline = Date.now() + 60_000
  for (;;) {
    const answer = await client.get(step.path)
    const summary = answer.status === 200 ? step.summary(JSON.parse(textOf(answer))) : { count: -1 }
    if (summary.count === expected) return { summary, bytes: answer.bytes }
    if (Date.now() > deadline) {
      const got = `status ${answer.status}, ${summary.count} items`
      throw new Error(`${step.name}: ${got} instead of ${expected}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/**
 * Asks a few times and returns how long each took, in milliseconds. Every answer must have the length of the verified one.
 *
 * @param {Question} step
 * @param {number} alerts
 * @param {number} bytes
 * @param {Client} client
 */
export async function ask(step, alerts, bytes, client) {
  const times = []
  let total = 0
  while (times.length === 0 || (times.length < 20 && total < 100)) {
    if (step.before !== undefined) await make(step.before, alerts, client)
    const before = performance.now()
    const asked = Array.from({ length: step.atOnce ?? 1 }, () => client.get(step.path))
    const answers = await Promise.all(asked)
    const took = performance.now() - before
    times.push(took)
    total += took
    for (const answer of answers) {
      if (answer.status === 200 && answer.bytes === bytes) continue
      throw new Error(`${step.name}: answered ${answer.status} with ${answer.bytes} bytes`)
    }
  }
  return times
}
