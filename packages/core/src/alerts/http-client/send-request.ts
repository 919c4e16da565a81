import type { HttpConfig } from '../fields/http-config.ts'

/** A request to the other side of a receiver. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The answer to a request. */
export interface OutgoingAnswer {
  readonly status: number
  readonly headers: Headers
  /** The body as text, at most its first 64 KiB. */
  readonly body: string
}

/**
 * Sends a request by the rules of an `http_config`: authentication, TLS, proxy, redirects, headers.
 *
 * @throws {Error} if there is no answer; the message holds neither a secret nor the URL.
 */
export type SendRequest = (
  request: OutgoingRequest,
  http: HttpConfig,
  signal: AbortSignal,
) => Promise<OutgoingAnswer>
