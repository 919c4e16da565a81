// A client with little overhead of its own: keep-alive connections, bodies read as bytes.
import { Agent, request } from 'node:http'

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {Buffer[]} chunks
 * @property {number} bytes
 */

/**
 * @typedef {object} Client
 * @property {(path: string) => Promise<Answer>} get
 * @property {(path: string, body: Buffer) => Promise<Answer>} post
 * @property {() => void} close
 */

/**
 * @param {number} port of 127.0.0.1
 * @param {number} connections the most it opens
 * @returns {Client}
 */
export function createClient(port, connections) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })

  /** @returns {Promise<Answer>} */
  function send(
    /** @type {string} */ method,
    /** @type {string} */ path,
    /** @type {Buffer | undefined} */ body,
  ) {
    return new Promise((resolve, reject) => {
      const headers =
        body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': body.length }
      const outgoing = request(
        { agent, host: '127.0.0.1', port, method, path, headers },
        (incoming) => {
          /** @type {Buffer[]} */
          const chunks = []
          let bytes = 0
          incoming.on('data', (chunk) => {
            chunks.push(chunk)
            bytes += chunk.length
          })
          incoming.once('end', () => resolve({ status: incoming.statusCode ?? 0, chunks, bytes }))
          incoming.once('error', reject)
        },
      )
      outgoing.once('error', reject)
      outgoing.end(body)
    })
  }

  return {
    get: (path) => send('GET', path, undefined),
    post: (path, body) => send('POST', path, body),
    close: () => agent.destroy(),
  }
}

/**
 * @param {Answer} answer
 * @returns {string} its body
 */
export function textOf(answer) {
  return Buffer.concat(answer.chunks).toString('utf8')
}
