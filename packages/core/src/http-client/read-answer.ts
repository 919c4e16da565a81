import type { OutgoingAnswer } from './send-request.ts'
import type { FetchAnswer } from './wire.ts'

/** The most bytes that are read of a response body, unless its request wants more. */
export const maxBodyBytes: number = 64 * 1024

/**
 * Reads a response with the start of its body; it does not wait for the rest. The status is the result of a request, so a
 * body that breaks off, or does not end before the signal, is cut there.
 */
export async function readAnswer(
  { status, headers, body }: FetchAnswer,
  signal: AbortSignal,
  maxBytes: number = maxBodyBytes,
): Promise<OutgoingAnswer> {
  return {
    status,
    headers: new Headers(Array.from(headers)),
    body: body === null ? '' : await readStart(body, signal, maxBytes),
  }
}

/** Cancels the body of a response that is not read. */
export async function discardBody({ body }: FetchAnswer): Promise<void> {
  await body?.cancel().catch(ignoreBreak)
}

async function readStart(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  maxBytes: number,
): Promise<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let left = maxBytes
  const stop = (): Promise<void> => reader.cancel().catch(ignoreBreak)
  const giveUp = (): void => void stop()
  signal.addEventListener('abort', giveUp)
  try {
    while (left > 0 && !signal.aborted) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value.subarray(0, left), { stream: true })
      left -= value.length
    }
  } catch {
    // The connection broke: use the part that has arrived.
  } finally {
    signal.removeEventListener('abort', giveUp)
    await stop()
  }
  return text
}

/** A body that has already broken off needs no cancellation. */
const ignoreBreak = (): void => undefined
