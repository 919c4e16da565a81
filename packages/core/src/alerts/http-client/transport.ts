import { type AgentPurpose, type Connection, createAgents } from './agents.ts'
import { clientError } from './errors.ts'
import { chooseProxy, type Environment } from './proxy.ts'
import type { ReadFile } from './read-secret.ts'
import { loadUndici } from './undici.ts'

/** One request on the wire; redirects are somebody else's. */
export interface WireRequest {
  readonly method: string
  /** Without a name and a password in it. */
  readonly url: URL
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string | undefined
}

/** What is used of an answer of `fetch`. */
export interface WireAnswer {
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

/** What is needed of `fetch`: that of the platform, of undici, or of whoever embeds the service. */
export type Fetch = (url: string, init: FetchInit) => Promise<WireAnswer>

/** What {@link createTransport} needs. */
export interface TransportOptions {
  readonly fetch: Fetch
  readonly readFile: ReadFile
  readonly environment: Environment
  readonly importUndici?: (() => Promise<unknown>) | undefined
}

/** Sends requests by whatever way their configuration says. */
export interface Transport {
  exchange(request: WireRequest, connection: Connection, signal: AbortSignal): Promise<WireAnswer>
  close(): Promise<void>
}

/** The platform's `fetch`, and undici's for requests that need a proxy or TLS of their own. */
export function createTransport(options: TransportOptions): Transport {
  const { readFile, environment, importUndici } = options
  const agents = createAgents(readFile)

  const fetchThrough = async (purpose: AgentPurpose): Promise<Fetch> => {
    const undici = await loadUndici(importUndici)
    const dispatcher = await agents.agentFor(undici, purpose)
    return (url, init) => undici.fetch(url, { ...init, dispatcher })
  }

  return {
    async exchange({ method, url, headers, body }, connection, signal) {
      const proxy = chooseProxy(connection, environment)(url)
      const isSecure = url.protocol === 'https:'
      const isPlain = proxy === undefined && !(isSecure && connection.tls_config !== undefined)
      const fetch = isPlain ? options.fetch : await fetchThrough({ connection, proxy, isSecure })
      return fetch(url.href, {
        method,
        headers: onWire(headers),
        ...(body === undefined ? {} : { body }),
        redirect: 'manual',
        signal,
      })
    },
    close: () => agents.close(),
  }
}

/**
 * Headers as `fetch` takes them: their values are sent as UTF-8, which it knows nothing of.
 *
 * @throws {GatehouseError} `UnusableHeader` if there are line breaks in one, as in a file of several lines.
 */
function onWire(headers: WireRequest['headers']): [string, string][] {
  return headers.map(([name, value]) => {
    const bytes = Buffer.from(value, 'utf8').toString('latin1')
    if (/^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/.test(name) && !hasControlCharacter(bytes))
      return [name, bytes]
    throw clientError('UnusableHeader', 'a header has a name or a value that cannot be sent')
  })
}

const hasControlCharacter = (text: string): boolean =>
  Array.from(text).some((character) => {
    return (character < ' ' && character !== '\t') || character === '\x7f'
  })
