import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Answer } from '@gatehouse/core/adapter'

/**
 * Sends the answer of a route. Resolves when it is sent, or when the client has disconnected.
 *
 * @throws any error of a body's stream.
 */
export async function sendAnswer(answer: Answer, outgoing: ServerResponse): Promise<void> {
  const { status, headers, body, byteLength } = answer
  if (typeof body === 'string') {
    // One byte a character means ASCII; `latin1` is Node's fast path for it.
    const encoding = byteLength === body.length ? 'latin1' : 'utf8'
    outgoing.writeHead(status, withLength(headers, byteLength)).end(body, encoding)
  } else if (body instanceof Uint8Array) {
    outgoing.writeHead(status, withLength(headers, byteLength)).end(body)
  } else if (body === null) {
    const all = hasLength(status, outgoing) ? withLength(headers, 0) : ofNode(headers)
    outgoing.writeHead(status, all).end()
  } else {
    // The client of a stream gets the headers immediately.
    outgoing.writeHead(status, ofNode(headers)).flushHeaders()
    await sendStream(body.getReader(), outgoing)
  }
}

/** Node's type does not accept read-only lists. */
const ofNode = (headers: Answer['headers']): OutgoingHttpHeaders => headers as OutgoingHttpHeaders

const withLength = (headers: Answer['headers'], length: number): OutgoingHttpHeaders =>
  'content-length' in headers
    ? ofNode(headers)
    : ofNode({ 'content-length': `${length}`, ...headers })

/** Whether an answer without a body has a `Content-Length`: an answer to HEAD has the length of GET. */
function hasLength(status: number, outgoing: ServerResponse): boolean {
  return status !== 204 && status !== 304 && outgoing.req.method !== 'HEAD'
}

async function sendStream(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  outgoing: ServerResponse,
): Promise<void> {
  let wake = (): void => {}
  const isOpen = (): boolean => !outgoing.destroyed
  const onDrain = (): void => wake()
  // Cancel at once, even if the reader is waiting for its source.
  const onClose = (): void => {
    reader.cancel().catch(() => {})
    wake()
  }
  outgoing.on('drain', onDrain).on('close', onClose)
  try {
    if (!isOpen()) onClose()
    for (;;) {
      const { done, value } = await reader.read()
      if (done || !isOpen()) break
      if (outgoing.write(value)) continue
      await new Promise<void>((resolve) => {
        wake = resolve
        if (!isOpen()) resolve()
      })
    }
    outgoing.end()
  } finally {
    outgoing.off('drain', onDrain).off('close', onClose)
  }
}
