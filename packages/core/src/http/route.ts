import type { RouteAction } from '../authorization/action.ts'
import type { Subject } from '../authorization/authorize.ts'
import type { Answer } from './answer.ts'
import type { ClientCertificate } from './client-certificate.ts'

/** The part of the standard `Headers` that routes read. */
export interface RouteHeaders extends Iterable<[name: string, value: string]> {
  /** The values of a repeated header are joined, as in the standard. */
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
   * Whether the body does not consist of the original bytes: a body parser before the routes kept none, and the adapter
   * serialized the parsed value as JSON again (default: the original bytes).
   */
  readonly isBodyRebuilt?: boolean
  /** Aborted when the client disconnects before it has its answer. */
  readonly signal: AbortSignal
  arrayBuffer(): Promise<ArrayBuffer>
}

/** Facts about a request that the standard `Request` lacks. */
export interface RequestInfo {
  /** Values of the path's `:name` segments, percent-decoded. */
  readonly params: Readonly<Record<string, string>>
  /** The request's path below the mount path: starts with `/`, not decoded, without the query. */
  readonly path: string
  /** The path that the routes are mounted at: empty, or starts with `/` and does not end with it. */
  readonly mountPath: string
  /** The query, without its `?`, not decoded. */
  readonly query: string
  /** The address of the client, as far as the adapter trusts proxies. */
  readonly peer?: { readonly address: string; readonly port?: number }
  /** Whether the client's connection was secure (TLS), as far as the adapter trusts proxies. */
  readonly secure: boolean
  /** The verified certificate of the client; `undefined` without one, and behind a proxy, whose certificate it would be. */
  readonly clientCertificate?: ClientCertificate
  /** The sender, as an adapter or {@link identifyRequests} found out (default: unknown). */
  readonly subject?: Subject
}

/** The server's end of an open WebSocket. */
export interface Socket {
  /** Sends a text. Does nothing once the socket has closed. */
  send(text: string): void
  /** Sends a ping, if the platform can; a client that has not answered the previous one is disconnected. */
  ping(): void
  /** Starts to close. @see RFC 6455, section 7.4, for the codes */
  close(code: number, reason: string): void
}

/**
 * Called once a WebSocket is open. The returned function is called once the socket has closed, for whatever reason. Messages of
 * the client are dropped.
 */
export type SocketHandler = (socket: Socket) => () => void

/**
 * One route of a service's HTTP interface.
 *
 * `path` consists of literal segments, `:name` segments and at most one final `*` segment, which matches the rest, even an empty
 * one. `method` is an upper-case HTTP method or `*`, which matches if no other route for the path does. A `GET` route does not
 * match `HEAD`. Paths are case-sensitive, and a trailing slash matters.
 *
 * To answer with a standard `Response`, create the route with `fetchRoute()`.
 */
export interface Route {
  readonly method: string
  readonly path: string
  /** What its requests do. The service asks `authorize` before it answers (default: whatever the route itself checks). */
  readonly action?: RouteAction
  /**
   * Whether an adapter may compress its answers (default: no). Answers with a secret beside text of the sender must stay as they are:
   * their compressed length tells whether the two are alike.
   *
   * @see https://breachattack.com
   */
  readonly isCompressible?: boolean
  /**
   * Of a route whose paths change while it is mounted: whether it has this path now (below the mount path, not decoded). `path` and
   * `method` only describe it then. Other paths are left to the surrounding app.
   */
  serves?(path: string): boolean
  /** A rejection is a fault of the program: the adapter passes it to the error handling of its framework. */
  answer(request: RouteRequest, info: RequestInfo): Promise<Answer>
  /**
   * Of a `GET` route: handles requests for a WebSocket, if the adapter can open sockets; otherwise `answer` gets them. Returns
   * the refusal, or the handler of the open socket.
   */
  connect?(request: RouteRequest, info: RequestInfo): Promise<Answer | SocketHandler>
}
