// An HTTP client that costs little beside the servers it measures: the client of node:http takes longer for a short answer than
// they do. It keeps connections, and bodies as the pieces that arrived.
import { connect } from 'node:net'

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
 * A connection with one request at a time.
 *
 * @typedef {object} Connection
 * @property {(head: string, body: Buffer | undefined) => Promise<Answer>} send
 * @property {() => boolean} isOpen
 * @property {() => void} close
 */

/**
 * @param {number} port of 127.0.0.1
 * @param {number} connections the most it opens
 * @returns {Client}
 */
export function createClient(port, connections) {
  /** @type {Connection[]} */
  let idle = []
  let busy = 0
  /** @type {(() => void)[]} */
  const waiting = []

  /** @param {string} request @param {string[]} [headers] @param {Buffer} [body] */
  async function send(request, headers = [], body) {
    if (busy === connections) await new Promise((resolve) => waiting.push(() => resolve(undefined)))
    else busy++
    try {
      // Servers close connections that were idle for some seconds.
      idle = idle.filter((connection) => connection.isOpen())
      const connection = idle.pop() ?? openConnection(port)
      const head = [`${request} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, '', ''].join('\r\n')
      const answer = await connection.send(head, body)
      idle.push(connection)
      return answer
    } finally {
      const next = waiting.shift()
      if (next === undefined) busy--
      else next()
    }
  }

  return {
    get: (path) => send(`GET ${path}`),
    post: (path, body) => {
      const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`]
      return send(`POST ${path}`, headers, body)
    },
    close() {
      for (const connection of idle) connection.close()
    },
  }
}

/**
 * @param {number} port
 * @returns {Connection}
 */
function openConnection(port) {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  let take = (/** @type {Buffer} */ _piece) => {}
  let fail = (/** @type {Error} */ _error) => {}
  socket.on('data', (piece) => take(piece))
  socket.on('error', (error) => fail(error))
  socket.on('close', () => fail(new Error('the server closed the connection')))
  return {
    send: (head, body) =>
      new Promise((resolve, reject) => {
        const reading = readAnswer()
        reading.next()
        take = (piece) => {
          const { done, value } = reading.next(piece)
          if (done) resolve(value)
        }
        fail = reject
        socket.cork()
        socket.write(head, 'latin1')
        if (body !== undefined) socket.write(body)
        socket.uncork()
      }),
    isOpen: () => !socket.destroyed && socket.readable,
    close: () => socket.destroy(),
  }
}

/**
 * Reads one answer from the pieces that arrive.
 *
 * @returns {Generator<void, Answer, Buffer>}
 */
function* readAnswer() {
  let rest = yield
  /** @type {Buffer[]} */
  const chunks = []
  let bytes = 0

  /** @param {string} end @returns {Generator<void, string, Buffer>} */
  function* textBefore(end) {
    let at = rest.indexOf(end)
    while (at < 0) {
      rest = Buffer.concat([rest, yield])
      at = rest.indexOf(end)
    }
    const text = rest.latin1Slice(0, at)
    rest = rest.subarray(at + end.length)
    return text
  }

  /** @param {number} length @returns {Generator<void, void, Buffer>} */
  function* takeBody(length) {
    bytes += length
    for (let left = length; left > 0; ) {
      const part = rest.subarray(0, left)
      chunks.push(part)
      left -= part.length
      rest = left > 0 ? yield : rest.subarray(part.length)
    }
  }

  const head = yield* textBefore('\r\n\r\n')
  if (/\r\ntransfer-encoding: chunked/i.test(head)) {
    for (;;) {
      const length = Number.parseInt(yield* textBefore('\r\n'), 16)
      yield* takeBody(length)
      yield* textBefore('\r\n')
      if (length === 0) break
    }
  } else yield* takeBody(Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0))
  return { status: Number(head.slice(9, 12)), chunks, bytes }
}

/**
 * @param {Answer} answer
 * @returns {string} its body
 */
export function textOf(answer) {
  return Buffer.concat(answer.chunks).toString('utf8')
}
