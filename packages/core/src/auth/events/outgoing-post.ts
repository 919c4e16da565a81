import { withinTime } from '../../async/within-time.ts'
import type { Clock } from '../../time/clock.ts'

/** The part of a `fetch` response that is used. */
export interface PostFetchAnswer {
  readonly status: number
  readonly body: ReadableStream<Uint8Array> | null
}

/** The part of `fetch` that is needed: that of the platform, or one through a proxy. Must not follow redirections. */
export type PostFetch = (
  url: string,
  init: {
    readonly method: 'POST'
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly redirect: 'manual'
    readonly signal: AbortSignal
  },
) => Promise<PostFetchAnswer>

/** A request and the limits of its response. */
interface OutgoingPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  /** Cancels the request. */
  readonly signal?: AbortSignal
  /** Longer responses are refused. */
  readonly maxBytes: number
}

/**
 * The server could not be reached, timed out or did not answer with success. The message names no URL, because it may contain a
 * secret.
 */
class PostFailedError extends Error {}

/** The server did not answer in time. */
export class PostTimeoutError extends PostFailedError {}

/** The response was longer than allowed. */
export class PostTooLargeError extends PostFailedError {}

/**
 * Sends a text and reads the response.
 *
 * @throws {PostFailedError} for every status except success, redirections included.
 */
export async function sendPost(
  fetch: PostFetch,
  clock: Clock,
  { url, headers, body, timeoutMs, signal: earlier, maxBytes }: OutgoingPost,
): Promise<string> {
  return withinTime(clock, {
    ms: timeoutMs,
    tooLate: () => new PostTimeoutError(`there was no answer in ${timeoutMs} ms`),
    async work(deadline) {
      const signal = earlier === undefined ? deadline : AbortSignal.any([deadline, earlier])
      const init = { method: 'POST', headers, body, redirect: 'manual', signal } as const
      const answer = await reach(() => fetch(url, init))
      const isGood = answer.status >= 200 && answer.status < 300
      if (isGood) return reach(() => readText(answer.body, maxBytes))
      await answer.body?.cancel().catch(() => undefined)
      throw new PostFailedError(`the answer has the status ${answer.status}`)
    },
  })
}

async function reach<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof PostFailedError) throw cause
    throw new PostFailedError('the server could not be reached', { cause })
  }
}

/** Reads a body. @throws {PostTooLargeError} */
export async function readText(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    // Leaving the loop cancels the stream.
    if (size > maxBytes) throw new PostTooLargeError(`the answer has more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** The `fetch` of the platform. */
export const platformFetch: PostFetch = (url, init) => fetch(url, init)
