import { type AgentPurpose, type Connection, createAgents } from './agents.ts'
import { dispatchRequest } from './dispatch-request.ts'
import { clientError } from './errors.ts'
import { fetchRequest } from './fetch-request.ts'
import { chooseProxy, type Environment } from './proxy.ts'
import type { ReadFile } from './read-secret.ts'
import { type AgentModule, loadAgents, loadUndici, type UndiciModule } from './undici.ts'
import type { Exchange, Fetch, WireRequest } from './wire.ts'

/** Dependencies of {@link createTransport}. */
export interface TransportOptions {
  /**
   * Sends requests that need neither a proxy nor their own TLS options (default undici, or the platform's `fetch` without it).
   */
  readonly fetch: Fetch | undefined
  readonly readFile: ReadFile
  readonly environment: Environment
  readonly importUndici?: (() => Promise<unknown>) | undefined
}

/** Sends requests over the connection of their configuration. */
export interface Transport {
  /** @throws {GatehouseError} `UnusableHeader` or `UnusableProxy`, synchronously, for a request that cannot be sent. */
  exchange(request: WireRequest, connection: Connection, signal: AbortSignal): Promise<Exchange>
  close(): Promise<void>
}

/** Sends requests through undici agents. Requests without a proxy and TLS options work without undici. */
export function createTransport(options: TransportOptions): Transport {
  const { readFile, environment, importUndici } = options
  const agents = createAgents(readFile)
  let { fetch } = options
  let direct: AgentModule | undefined
  let undici: UndiciModule | undefined

  const load = async (): Promise<AgentModule> => {
    direct ??= await loadAgents(importUndici)
    return direct
  }
  const loadWhole = async (): Promise<UndiciModule> => {
    undici ??= await loadUndici(importUndici)
    return undici
  }

  /** The first plain request determines how all of them are sent. */
  const exchangeFirst = async (request: WireRequest, signal: AbortSignal): Promise<Exchange> => {
    try {
      await load()
    } catch {
      fetch = globalThis.fetch
    }
    return exchangePlain(request, signal)
  }

  const exchangePlain = (request: WireRequest, signal: AbortSignal): Promise<Exchange> => {
    if (fetch !== undefined) return fetchRequest(fetch, request, signal)
    if (direct !== undefined) return dispatchRequest(agents.plainAgent(direct), request, signal)
    return exchangeFirst(request, signal)
  }

  const exchangeThrough = async (
    purpose: AgentPurpose,
    request: WireRequest,
    signal: AbortSignal,
  ): Promise<Exchange> => {
    const module = await (purpose.proxy === undefined ? load() : loadWhole())
    const agent = await agents.agentFor(module, purpose)
    return dispatchRequest(agent, request, signal)
  }

  return {
    exchange({ method, url, headers, body, maxAnswerBytes }, connection, signal) {
      const proxy = chooseProxy(connection, environment)(url)
      const isSecure = url.protocol === 'https:'
      const request = { method, url, headers: onWire(headers), body, maxAnswerBytes }
      return proxy === undefined && !(isSecure && connection.tls_config !== undefined)
        ? exchangePlain(request, signal)
        : exchangeThrough({ connection, proxy, isSecure }, request, signal)
    },
    close: () => agents.close(),
  }
}

/**
 * Headers in the encoding of the wire: values are sent as UTF-8, which the client libraries do not support.
 *
 * @throws {GatehouseError} `UnusableHeader` if a value has line breaks, as from a file of several lines.
 */
function onWire(headers: WireRequest['headers']): [string, string][] {
  return headers.map(([name, value]) => {
    const bytes = isPrintable.test(value) ? value : Buffer.from(value, 'utf8').toString('latin1')
    if (headerName.test(name) && !hasControlCharacter(bytes)) return [name, bytes]
    throw clientError('UnusableHeader', 'a header has an invalid name or value')
  })
}

const headerName = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/
const isPrintable = /^[ -~]*$/

const hasControlCharacter = (text: string): boolean =>
  !isPrintable.test(text) &&
  Array.from(text).some((character) => {
    return (character < ' ' && character !== '\t') || character === '\x7f'
  })
