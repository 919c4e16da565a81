import type { Answer } from './answer.ts'

/** The part of the standard `Headers` that routes read. */
export interface RouteHeaders extends Iterable<[name: string, value: string]> {
  /** A header that was sent several times is one text, as in the standard. */
  get(name: string): string | null
  has(name: string): boolean
}

/** The part of the standard `Request` that routes read. Every `Request` fits; an adapter may pass a cheaper object. */
export interface RouteRequest {
  readonly method: string
  /** The whole URL, with scheme and host. */
  readonly url: string
  readonly headers: RouteHeaders
  readonly body: ReadableStream<Uint8Array> | null
  /**
   * Whether the body is not made of the bytes that were sent: a body parser in front of the routes kept none, and the adapter
   * wrote the parsed value as JSON again (default: the bytes are those that were sent).
   */
  readonly isBodyRebuilt?: boolean
  /** Aborted when the client goes away before it has its answer. */
  readonly signal: AbortSignal
  arrayBuffer(): Promise<ArrayBuffer>
}

/** What an adapter knows of a request beside the standard `Request`. */
export interface RequestInfo {
  /** Values of the path's `:name` segments, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
  /** The request's path below the place the routes are mounted at: starts with `/`, not decoded, without the query. */
  readonly path: string
  /** Where the routes are mounted: empty, or starts with `/` and does not end with it. */
  readonly mountPath: string
  /** The query, without its `?`, not decoded. */
  readonly query: string
  /** The address of the client, as far as the adapter is told to trust proxies. */
  readonly peer?: { readonly address: string; readonly port?: number }
  /** Whether the client's connection was secure (TLS), as far as the adapter is told to trust proxies. */
  readonly secure: boolean
}

/** The server's end of an open WebSocket. */
export interface Socket {
  /** Sends a text. Does nothing once the socket has closed. */
  send(text: string): void
  /** Sends a ping, where the platform can; a client that has not answered the one before is cut off. */
  ping(): void
  /** Begins to close. @see RFC 6455, section 7.4, for the codes */
  close(code: number, reason: string): void
}

/**
 * What is done with a WebSocket: called once it is open. What it answers is called once the socket has closed, for whatever
 * reason. What the client sends is dropped.
 */
export type SocketHandler = (socket: Socket) => () => void

/**
 * One row of a service's HTTP interface.
 *
 * `path` is made of literal segments, `:name` segments and at most a final `*` segment, which takes the rest, also an empty one.
 * `method` is an upper-case HTTP method or `*`, which takes what no other row of a path that fits took.
 * A `GET` row does not take `HEAD`. Paths compare by case, and a trailing slash matters.
 *
 * To answer with a standard `Response`, make the row with `fetchRoute()`.
 */
export interface Route {
  readonly method: string
  readonly path: string
  /** A rejection is a fault of the program: the adapter passes it to the error handling of its framework. */
  answer(request: RouteRequest, info: RequestInfo): Promise<Answer>
  /**
   * Of a `GET` row: takes requests for a WebSocket, where the adapter is given what it opens them with; elsewhere `answer` gets
   * them. Returns the refusal, or what to do with the open socket.
   */
  connect?(request: RouteRequest, info: RequestInfo): Promise<Answer | SocketHandler>
}
