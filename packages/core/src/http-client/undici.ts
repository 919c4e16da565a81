import type * as Undici from 'undici'
import { importInstalled, withFunction } from '../optional-package.ts'
import { credentialsOfUrl, percentDecoded } from './basic-credentials.ts'
import { clientError } from './errors.ts'
import type { TlsOptions } from './tls-options.ts'

/** The part of the package that direct connections need. */
export type AgentModule = Pick<typeof Undici, 'Agent'>

/** The part of the package that is used. */
export type UndiciModule = AgentModule & Pick<typeof Undici, 'ProxyAgent'>

/** Connections that are reused for further requests. */
export type Agent = Undici.Dispatcher

/** Aborts a running request. */
export type RequestController = Undici.Dispatcher.DispatchController

/** The headers of a response, with names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** The options of an agent. */
export interface AgentRoute {
  /** Absent: connects directly. */
  readonly proxy?: URL
  /** Whether the target uses TLS. */
  readonly isSecure: boolean
  readonly tls: TlsOptions
  /** Headers for the proxy only. */
  readonly connectHeaders: Record<string, string[]>
}

/**
 * Loads the package undici, which supports client certificates and proxies, and is many times as fast as the platform's `fetch`.
 *
 * @param load imports it.
 * @throws {GatehouseError} `MissingPackage`
 */
export async function loadUndici(
  load: () => Promise<unknown> = importUndici,
): Promise<UndiciModule> {
  const loaded: unknown = await load().catch(() => undefined)
  if (isUndici(loaded)) return loaded
  const message =
    'tls_config and proxies need the package "undici", which could not be loaded: npm install undici@7'
  throw clientError('MissingPackage', message)
}

/**
 * Loads only agents for direct connections: the whole package takes three times as long to load, and 9 MiB more memory.
 *
 * @param load imports them.
 * @throws {GatehouseError} `MissingPackage`
 */
export async function loadAgents(load: () => Promise<unknown> = importAgent): Promise<AgentModule> {
  const loaded: unknown = await load().catch(() => undefined)
  if (hasAgent(loaded)) return loaded
  // A version of the package may have this file elsewhere.
  return loadUndici(load === importAgent ? undefined : load)
}

/** The `import()` is in a `try` of its own function: then bundlers accept that the package may be missing. */
async function importUndici(): Promise<UndiciModule> {
  try {
    return withFunction(await import('undici'), 'ProxyAgent')
  } catch {
    return importInstalled('undici')
  }
}

/** Without a literal name: a bundle that has the whole package needs no second copy of its parts. */
async function importAgent(): Promise<unknown> {
  const { default: Agent } = await importInstalled<{ readonly default: unknown }>(
    'undici/lib/dispatcher/agent.js',
  )
  return { Agent }
}

const hasAgent = (loaded: unknown): loaded is AgentModule =>
  typeof loaded === 'object' && loaded !== null && 'Agent' in loaded

const isUndici = (loaded: unknown): loaded is UndiciModule =>
  hasAgent(loaded) && 'ProxyAgent' in loaded

/**
 * Creates an agent.
 *
 * @throws {GatehouseError} `UnusableProxy` if the proxy uses an unknown protocol.
 */
export function createAgent(undici: AgentModule | UndiciModule, route: AgentRoute): Agent {
  const { proxy, tls } = route
  if (proxy === undefined) return new undici.Agent({ connect: { ...tls } })
  if (!('ProxyAgent' in undici)) throw new TypeError('proxies need the whole package')
  if (proxy.protocol === 'http:' || proxy.protocol === 'https:') {
    return createHttpProxyAgent(undici, proxy, route)
  }
  if (proxy.protocol === 'socks5:' || proxy.protocol === 'socks5h:') {
    return createSocksProxyAgent(undici, proxy, tls)
  }
  throw clientError('UnusableProxy', `unsupported proxy scheme "${proxy.protocol.slice(0, -1)}"`)
}

function createHttpProxyAgent(undici: UndiciModule, proxy: URL, route: AgentRoute): Agent {
  const { servername: _, ...proxyTls } = route.tls
  const token = credentialsOfUrl(proxy)
  // Only without any TLS does the proxy forward the request itself, without a tunnel.
  const isTunnelled = route.isSecure || proxy.protocol === 'https:'
  return new undici.ProxyAgent({
    uri: proxy.origin,
    ...(token === undefined ? {} : { token }),
    ...(isTunnelled ? { headers: route.connectHeaders } : {}),
    proxyTunnel: isTunnelled,
    requestTls: { ...route.tls },
    proxyTls,
  })
}

/** The package expects the username and password of a SOCKS proxy separate from its URL, where they may be escaped. */
function createSocksProxyAgent(undici: UndiciModule, proxy: URL, tls: TlsOptions): Agent {
  const login = {
    username: percentDecoded(proxy.username),
    password: percentDecoded(proxy.password),
  }
  return new undici.ProxyAgent({
    uri: `socks5://${proxy.host}`,
    requestTls: { ...tls },
    ...login,
  })
}
