import type { OutgoingAnswer } from './send-request.ts'
import type { FetchAnswer } from './wire.ts'

/** So much of the body of an answer is read. */
export const maxBodyBytes: number = 64 * 1024

/**
 * Reads an answer: of its body at most 64 KiB, the rest is not waited for. The status says what came of a request, so a
 * body that breaks off, or does not end before the signal, is what has arrived of it.
 */
export async function readAnswer(
  { status, headers, body }: FetchAnswer,
  signal: AbortSignal,
): Promise<OutgoingAnswer> {
  return {
    status,
    headers: new Headers(Array.from(headers)),
    body: body === null ? '' : await readStart(body, signal),
  }
}

/** Gives up the body of an answer that nobody reads. */
export async function discardBody({ body }: FetchAnswer): Promise<void> {
  await body?.cancel().catch(ignoreBreak)
}

async function readStart(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let left = maxBodyBytes
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
    // The connection broke: what has arrived counts.
  } finally {
    signal.removeEventListener('abort', giveUp)
    await stop()
  }
  return text
}

/** A body that has already broken off needs no cancelling. */
const ignoreBreak = (): void => undefined
