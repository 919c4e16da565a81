// The webhook receiver of all groups: it answers immediately and counts.
import { once } from 'node:events'
import { createServer } from 'node:http'

/**
 * @typedef {object} Receiver
 * @property {string} url
 * @property {() => number} count how many notifications arrived
 * @property {(groups: number, withinMs: number) => Promise<void>} heardOf waits until this many groups were notified
 * @property {() => void} forget resets the counts
 * @property {() => Promise<void>} stop
 */

const groupKeyStart = Buffer.from('"groupKey":"')
const quote = '"'.charCodeAt(0)
const backslash = '\\'.charCodeAt(0)

/**
 * Finds the key without parsing the rest, since the measured system shares the machine's processors.
 *
 * @param {Buffer} body
 */
function groupKeyIn(body) {
  const start = body.lastIndexOf(groupKeyStart) + groupKeyStart.length
  let end = start
  while (body[end] !== quote) end += body[end] === backslash ? 2 : 1
  return body.toString('latin1', start, end)
}

/** @returns {Promise<Receiver>} */
export async function startReceiver() {
  let count = 0
  /** @type {Set<string>} */
  const groups = new Set()
  let wanted = Number.POSITIVE_INFINITY
  let enough = () => {}

  const server = createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.once('end', () => {
      response.end()
      count++
      groups.add(groupKeyIn(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
      if (groups.size >= wanted) enough()
    })
  })
  // If the receiver closed idle connections, its peers would have to retry.
  server.keepAliveTimeout = 120_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')

  return {
    url: `http://127.0.0.1:${address.port}/`,
    count: () => count,

    heardOf(many, withinMs) {
      return new Promise((resolve, reject) => {
        const giveUp = setTimeout(() => {
          reject(new Error(`${groups.size} of ${many} groups were notified within ${withinMs} ms`))
        }, withinMs)
        wanted = many
        enough = () => {
          clearTimeout(giveUp)
          wanted = Number.POSITIVE_INFINITY
          resolve(undefined)
        }
        if (groups.size >= many) enough()
      })
    },

    forget() {
      count = 0
      groups.clear()
    },

    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
