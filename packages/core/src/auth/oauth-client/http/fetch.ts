/** The part of a response that is used. */
export interface FetchAnswer {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: ReadableStream<Uint8Array> | null
}

/** The request for `fetch`. */
export interface FetchInit {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  redirect: 'manual'
  signal: AbortSignal
}

/** The part of `fetch` that is needed: that of the platform, or one through a proxy. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchAnswer>

/** The URL leads to a forbidden address. */
export class ForbiddenAddressError extends Error {
  constructor() {
    super('leads to an address that is not public')
    this.name = 'ForbiddenAddressError'
  }
}

/** The host of a URL; an IPv6 address without its brackets. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '')
