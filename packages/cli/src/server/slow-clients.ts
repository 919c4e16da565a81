import { randomUUID } from 'node:crypto'
import { type Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** How long a connection may stand still while the server waits for its client. */
const stalledMs = 300_000

/**
 * Closes connections whose client neither sends nor takes anything. One that waits for an answer may wait as long as
 * the answer takes: a command may run for an hour.
 */
export function closeStalledConnections(server: Server, afterMs: number = stalledMs): void {
  server.setTimeout(afterMs, (socket) => {
    if (!isWaiting(answerUnderWay(socket))) socket.destroy()
  })
}

/** Whether the client has sent all of its request and taken all there is of the answer, and there is more to come. */
function isWaiting(outgoing: ServerResponse | undefined): boolean {
  if (outgoing === undefined || outgoing.writableFinished) return false
  return outgoing.req.complete && outgoing.writableLength === 0
}

const statusLines: ReadonlyMap<unknown, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large'],
])

/** Answers what is no request, or did not arrive in time, and closes its connection. */
export function answerClientErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || isAnswering(socket)) {
      socket.destroy()
      return
    }
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    const answer = isLate ? requestTimeout() : emptyAnswer(statusLines.get(error.code))
    socket.end(answer, () => socket.destroy())
  })
}

function isAnswering(socket: Duplex): boolean {
  const answer = answerUnderWay(socket)
  return answer !== undefined && Reflect.get(answer, '_headerSent') === true
}

/** Node keeps the answer under way at its connection. */
function answerUnderWay(socket: Duplex): ServerResponse | undefined {
  const answer: unknown = Reflect.get(socket, '_httpMessage')
  return answer instanceof ServerResponse ? answer : undefined
}

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
