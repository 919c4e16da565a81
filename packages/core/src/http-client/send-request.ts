import type { HttpConfig } from './http-config.ts'

/** A request to the server of a receiver. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The most bytes of the body of the response that are read (default 64 KiB). */
  readonly maxAnswerBytes?: number
}

/** The response to a request. */
export interface OutgoingAnswer {
  readonly status: number
  readonly headers: Headers
  /** The start of the body as text: at most 64 KiB, unless the request wants more. */
  readonly body: string
}

/**
 * Sends a request by an `http_config`: authentication, TLS, proxy, redirects, headers.
 *
 * @throws {Error} if there is no response; the message contains neither a secret nor the URL.
 */
export type SendRequest = (
  request: OutgoingRequest,
  http: HttpConfig,
  signal: AbortSignal,
) => Promise<OutgoingAnswer>
