import type { OutgoingAnswer } from './send-request.ts'

/** One request on the wire; redirects are somebody else's. */
export interface WireRequest {
  readonly method: string
  /** Without a name and a password in it. */
  readonly url: URL
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string | undefined
}

/** An answer that has begun. */
export interface Exchange {
  readonly status: number
  /** Where it sends the client, if it does. */
  readonly location: string | null
  /** The answer with its body. */
  read(): OutgoingAnswer | Promise<OutgoingAnswer>
  /** Gives up the body instead. */
  discard(): Promise<void>
}

/** What is used of an answer of `fetch`. */
export interface FetchAnswer {
  readonly status: number
  readonly headers: Iterable<[string, string]>
  readonly body: ReadableStream<Uint8Array> | null
}

interface FetchInit {
  method: string
  headers: [string, string][]
  body?: string
  redirect: 'manual'
  signal: AbortSignal
}

/** What is needed of `fetch`: that of the platform, or of whoever embeds the service. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>
