// Sends a server the same request again and again at little cost: one write, one look at the answer, no HTTP library.
import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'

/**
 * @typedef {object} Load
 * @property {number} answers
 * @property {number} seconds
 * @property {Map<number, number>} statuses how often each occurred
 * @property {number[]} latencies of each request, in ms
 */

/**
 * @typedef {object} LoadOptions
 * @property {number} port of 127.0.0.1
 * @property {number} connections each has one request at a time
 * @property {number} [seconds] how long new requests are sent (default: until `requests` were sent)
 * @property {number} [requests] how many are sent (default: as many as fit in the time)
 */

/**
 * The bytes of a request that posts JSON.
 *
 * @param {string} path
 * @param {unknown} body
 * @returns {Buffer}
 */
export function postBytes(path, body) {
  const json = JSON.stringify(body)
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(json)}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${json}`)
}

/**
 * Sends one request over several kept connections, on each as soon as the previous answer has arrived.
 *
 * @param {Buffer} request
 * @param {LoadOptions} options
 * @returns {Promise<Load>}
 */
export async function load(
  request,
  { port, connections, seconds = Infinity, requests = Infinity },
) {
  const statuses = new Map()
  /** @type {number[]} */
  const latencies = []
  const begin = performance.now()
  const until = begin + seconds * 1_000
  let left = requests
  const mayAsk = () => left > 0 && performance.now() < until
  const lane = () =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      socket.setNoDelay(true)
      let received = ''
      let askedAt = 0
      const ask = () => {
        if (!mayAsk()) return socket.end(() => resolve(undefined))
        left--
        askedAt = performance.now()
        socket.write(request)
      }
      socket.once('connect', ask)
      socket.once('error', reject)
      socket.once('close', () => resolve(undefined))
      socket.on('data', (chunk) => {
        received += chunk.latin1Slice()
        const length = answerLength(received)
        if (length === undefined || received.length < length) return
        const status = Number(received.slice(9, 12))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        latencies.push(performance.now() - askedAt)
        received = received.slice(length)
        ask()
      })
    })
  await Promise.all(Array.from({ length: connections }, lane))
  const took = (performance.now() - begin) / 1_000
  return { answers: latencies.length, seconds: took, statuses, latencies }
}

/**
 * The length of a whole answer with its head; `undefined` until the head has arrived.
 *
 * @param {string} received
 */
function answerLength(received) {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, end))?.[1]
  if (length === undefined) throw new Error(`an answer without a length: ${received.slice(0, end)}`)
  return end + 4 + Number(length)
}

/**
 * @param {Load} given
 * @param {number} status
 * @returns {Load} the same, if every answer had this status
 */
export function expectStatus(given, status) {
  const others = [...given.statuses.keys()].filter((one) => one !== status)
  if (others.length > 0 || given.answers === 0) {
    throw new Error(`answered ${JSON.stringify([...given.statuses])} instead of ${status}`)
  }
  return given
}
