import type { HttpConfig } from './http-config.ts'

/** A request to the server of a receiver. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The response to a request. */
export interface OutgoingAnswer {
  readonly status: number
  readonly headers: Headers
  /** At most the first 64 KiB of the body, as text. */
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
