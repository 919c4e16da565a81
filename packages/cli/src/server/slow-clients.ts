import { randomUUID } from 'node:crypto'
import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** How long a connection may be idle while the server waits for its client. */
const stalledMs = 300_000

/** The unfinished responses of each connection. With pipelining there may be several. */
type AnswersUnderWay = (socket: Duplex) => readonly ServerResponse[]

function followAnswers(server: Server): AnswersUnderWay {
  const answers = new WeakMap<Duplex, readonly ServerResponse[]>()
  const underWay: AnswersUnderWay = (socket) =>
    answers.get(socket)?.filter((answer) => !answer.closed && !answer.writableFinished) ?? []
  server.on('request', ({ socket }, answer) => answers.set(socket, [...underWay(socket), answer]))
  return underWay
}

/** Options of {@link handleSlowClients}. */
export interface SlowClientsOptions {
  /** How long a connection may be idle while the server waits for its client, in ms (default 5 minutes). */
  readonly stalledMs?: number
}

/**
 * Closes connections whose client neither sends nor reads anything, and answers requests that are malformed or late. A client may
 * wait for its response as long as the response takes: a command may run for an hour.
 */
export function handleSlowClients(server: Server, options: SlowClientsOptions = {}): void {
  const underWay = followAnswers(server)
  server.setTimeout(options.stalledMs ?? stalledMs, (socket) => {
    if (!underWay(socket).some(isWaiting)) socket.destroy()
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || underWay(socket).some((answer) => answer.headersSent)) {
      socket.destroy()
      return
    }
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    const answer = isLate ? requestTimeout() : emptyAnswer(statusLines.get(error.code))
    socket.end(answer, () => socket.destroy())
  })
}

/** Whether the client has sent its whole request and read all there is of the response, and more is to come. */
const isWaiting = ({ req, writableLength }: ServerResponse): boolean =>
  req.complete && writableLength === 0

const statusLines: ReadonlyMap<unknown, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large'],
])

const emptyAnswer = (status = '400 Bad Request'): string =>
  `HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`

function requestTimeout(): string {
  const id = randomUUID()
  const message = 'the request did not arrive in time'
  const body = JSON.stringify({ message, code: 'request_timeout', request_id: id })
  const head = [
    'HTTP/1.1 408 Request Timeout',
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${id}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
