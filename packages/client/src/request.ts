import type { AnswerMemory } from './answer-memory.ts'
import { failureOf, GatehouseClientError } from './client-error.ts'

/** Options of every client. */
export interface ClientOptions {
  /** Where the service answers, such as `https://example.com/auth` (default: the origin of the page). */
  readonly url?: string | URL
  /** Sends requests (default: the global `fetch`). */
  readonly fetch?: Fetch
  /** Headers of every request, or a function that returns them. */
  readonly headers?: HeaderSource
  /** Returns the same object for an answer that has not changed (default: each answer is an object of its own). */
  readonly answers?: AnswerMemory
}

/** A function like `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Headers by name, or where they come from. */
export type HeaderSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)

/** Options of a call. */
export interface CallOptions {
  /** Ends the call. It then fails with the signal's reason. */
  readonly signal?: AbortSignal
}

/** A request to send. */
export interface Call extends CallOptions {
  readonly method?: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Members that are `undefined` are left out; each item of a list becomes a parameter. */
  readonly query?: object | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends requests to one service. */
export interface Requester {
  /** The URL of a path. */
  urlOf(path: string, query?: object): string
  /** Sends a request and returns the answer, whatever its status. */
  send(path: string, call?: Call): Promise<Response>
  /** Sends a request and returns the decoded body. @throws {GatehouseClientError} */
  json<T>(path: string, call?: Call): Promise<T>
}

/** Sends requests as the options say. */
export function createRequester(options: ClientOptions): Requester {
  const base = String(options.url ?? ownOrigin()).replace(/\/+$/, '')
  const urlOf = (path: string, query: object = {}): string => {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== undefined) parameters.append(name, String(one))
      }
    }
    return `${base}${path}${parameters.size === 0 ? '' : `?${parameters}`}`
  }
  const send = async (path: string, call: Call = {}): Promise<Response> => {
    const { method = 'GET', body, query, headers, signal } = call
    const given = options.headers
    const init: RequestInit = {
      method,
      // Sessions are cookies, which may belong to another subdomain.
      credentials: 'include',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(typeof given === 'function' ? await given() : given),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    }
    const fetch: Fetch = options.fetch ?? globalThis.fetch
    return fetch(urlOf(path, query), init).catch((cause: unknown) => unreachable(cause, signal))
  }
  return {
    urlOf,
    send,
    async json<T>(path: string, call: Call = {}): Promise<T> {
      const response = await send(path, call)
      const decode = () => bodyOf(response, call.signal)
      const url = urlOf(path, call.query)
      const body = await (options.answers?.(url, response, decode) ?? decode())
      return (response.headers.has('content-type') ? body : undefined) as T
    },
  }
}

/** The failure of a connection, unless the caller has ended the call. */
function unreachable(cause: unknown, signal: AbortSignal | undefined): never {
  signal?.throwIfAborted()
  throw new GatehouseClientError({ reason: 'Unreachable', message: 'no answer', cause })
}

/** The decoded body of a good answer. @throws {GatehouseClientError} */
export async function bodyOf(response: Response, signal?: AbortSignal): Promise<unknown> {
  const text = await response.text().catch((cause: unknown) => unreachable(cause, signal))
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
  const body = isJson && text !== '' ? parse(text, response.status) : text
  if (response.ok) return body
  throw new GatehouseClientError(
    failureOf(response.status, body, response.headers.get('retry-after')),
  )
}

function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const message = 'the answer is not JSON'
    throw new GatehouseClientError({
      reason: 'UnexpectedAnswer',
      message,
      status,
      body: text,
      cause,
    })
  }
}

/** The origin of the page. @throws {TypeError} outside of a browser. */
function ownOrigin(): string {
  const { origin } = Object(Reflect.get(globalThis, 'location')) as { origin?: string }
  if (origin === undefined) throw new TypeError('url is needed outside of a browser')
  return origin
}
