import type { Clock } from '../../time/clock.ts'
import { withinTime } from './within-time.ts'

/** What is used of an answer of `fetch`. */
export interface PostFetchAnswer {
  readonly status: number
  readonly body: ReadableStream<Uint8Array> | null
}

/** What is needed of `fetch`: that of the platform, or one that goes through a proxy. Must not follow redirections. */
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

/** What is sent, and how much is taken back. */
interface OutgoingPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  /** Ends it before its time. */
  readonly signal?: AbortSignal
  /** More bytes than that are no answer. */
  readonly maxBytes: number
}

/** A server was not reached, took too long, or did not say yes. The text names no URL: there may be a secret in it. */
class PostFailedError extends Error {}

/** It took too long. */
export class PostTimeoutError extends PostFailedError {}

/** There was more of an answer than is read. */
export class PostTooLargeError extends PostFailedError {}

/**
 * Sends a text and reads what is answered.
 *
 * @throws {PostFailedError} also for every status but those of success: a redirection is none.
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

async function readText(
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
