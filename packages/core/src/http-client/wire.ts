import type { OutgoingAnswer } from './send-request.ts'

/** One request on the wire, without redirects. */
export interface WireRequest {
  readonly method: string
  /** Without a username and a password in it. */
  readonly url: URL
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string | undefined
  /** The most bytes of the response body that are read (default 64 KiB). */
  readonly maxAnswerBytes?: number | undefined
}

/** A response that has started. */
export interface Exchange {
  readonly status: number
  /** The target of a redirect, if it is one. */
  readonly location: string | null
  /** The response with its body. */
  read(): OutgoingAnswer | Promise<OutgoingAnswer>
  /** Cancels the body instead. */
  discard(): Promise<void>
}

/** The part of a `fetch` response that is used. */
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

/** The part of `fetch` that is needed: the platform's or the host app's. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>
