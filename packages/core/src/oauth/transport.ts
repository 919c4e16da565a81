/** One request to a provider. */
export interface WireRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: { readonly [name: string]: string }
  readonly body: string | undefined
}

/** An answer that has begun. */
export interface WireAnswer {
  readonly status: number
  /** Where it sends the client, if it does. */
  readonly location: string | undefined
  readonly body: AsyncIterable<Uint8Array>
  /** Gives up a body that nobody has begun to read. */
  discard(): void
}

/** Sends a request, to an address that may be asked, and follows no redirect. */
export type Transport = (request: WireRequest, signal: AbortSignal) => Promise<WireAnswer>

/** What leads to an address that must not be asked. */
export class ForbiddenAddressError extends Error {
  constructor() {
    super('leads to an address that is not public')
    this.name = 'ForbiddenAddressError'
  }
}

/** The host of a URL; an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
