import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { bodyTextOf } from '@gatehouse/core'

/**
 * Sends a standard `Response`. Resolves when it is sent, or the client has gone.
 *
 * @throws whatever a body's stream fails with.
 */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  const headers = headersOf(response)
  const text = bodyTextOf(response)
  if (response.statusText !== '') outgoing.statusMessage = response.statusText
  if (text !== undefined) {
    headers['content-length'] ??= Buffer.byteLength(text)
    outgoing.writeHead(response.status, headers).end(text)
    return
  }
  const { body } = response
  if (body === null) {
    if (hasLength(response.status, outgoing)) headers['content-length'] ??= 0
    outgoing.writeHead(response.status, headers).end()
    return
  }
  outgoing.writeHead(response.status, headers)
  await sendStream(body.getReader(), outgoing)
}

/** Whether an answer without a body says so by its length: one to HEAD has the length a GET would have. */
function hasLength(status: number, outgoing: ServerResponse): boolean {
  return status !== 204 && status !== 304 && outgoing.req.method !== 'HEAD'
}

function headersOf(response: Response): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {}
  for (const [name, value] of response.headers) headers[name] = value
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  return headers
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
