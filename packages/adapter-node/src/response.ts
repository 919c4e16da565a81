import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Answer } from '@gatehouse/core/adapter'

/**
 * Sends what a route answers. Resolves when it is sent, or the client has gone.
 *
 * @throws whatever a body's stream fails with.
 */
export async function sendAnswer(answer: Answer, outgoing: ServerResponse): Promise<void> {
  const { status, headers, body, byteLength } = answer
  if (typeof body === 'string') {
    // One byte a character means ASCII; `latin1` is Node's fast path for it.
    const encoding = byteLength === body.length ? 'latin1' : 'utf8'
    outgoing.writeHead(status, withLength(headers, byteLength)).end(body, encoding)
  } else if (body === null) {
    const all = hasLength(status, outgoing) ? withLength(headers, 0) : ofNode(headers)
    outgoing.writeHead(status, all).end()
  } else {
    // The client of a stream learns at once that it has begun.
    outgoing.writeHead(status, ofNode(headers)).flushHeaders()
    await sendStream(body.getReader(), outgoing)
  }
}

/** Node's type of headers says of no list that it is left alone. */
const ofNode = (headers: Answer['headers']): OutgoingHttpHeaders => headers as OutgoingHttpHeaders

const withLength = (headers: Answer['headers'], length: number): OutgoingHttpHeaders =>
  'content-length' in headers
    ? ofNode(headers)
    : ofNode({ 'content-length': `${length}`, ...headers })

/** Whether an answer without a body says so by its length: one to HEAD has the length a GET would have. */
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
  // A reader that waits for its source is told at once that the client has gone.
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
