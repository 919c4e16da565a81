import type * as Undici from 'undici'
import { credentialsOfUrl, percentDecoded } from './basic-credentials.ts'
import { clientError } from './errors.ts'
import type { TlsOptions } from './tls-options.ts'

/** What of the package is used. */
export type UndiciModule = Pick<typeof Undici, 'Agent' | 'ProxyAgent'>

/** Connections that are kept for further requests. */
export type Agent = Undici.Dispatcher

/** What a request that is under way is ended by. */
export type RequestController = Undici.Dispatcher.DispatchController

/** The headers of an answer, by their names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** How an agent connects. */
export interface AgentRoute {
  /** Absent: directly. */
  readonly proxy?: URL
  /** Whether what is asked speaks TLS. */
  readonly isSecure: boolean
  readonly tls: TlsOptions
  /** Headers for the proxy alone. */
  readonly connectHeaders: Record<string, string[]>
}

/**
 * Loads the package that can do what the platform's `fetch` cannot: certificates of one's own, proxies, and all of it in a
 * fraction of the time.
 *
 * @param load imports it.
 * @throws {GatehouseError} `MissingPackage`
 */
export async function loadUndici(
  load: () => Promise<unknown> = () => import('undici'),
): Promise<UndiciModule> {
  const loaded: unknown = await load().catch(() => undefined)
  if (isUndici(loaded)) return loaded
  const message =
    'tls_config and proxies need the package "undici", which could not be loaded: npm install undici@7'
  throw clientError('MissingPackage', message)
}

const isUndici = (loaded: unknown): loaded is UndiciModule =>
  typeof loaded === 'object' && loaded !== null && 'Agent' in loaded && 'ProxyAgent' in loaded

/**
 * Makes an agent.
 *
 * @throws {GatehouseError} `UnusableProxy` if the proxy speaks a protocol that is not known.
 */
export function createAgent(undici: UndiciModule, route: AgentRoute): Agent {
  const { proxy, tls } = route
  if (proxy === undefined) return new undici.Agent({ connect: { ...tls } })
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
  // Only where nothing speaks TLS is the proxy itself asked, without a tunnel through it.
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

/** The package takes name and password of a proxy of SOCKS apart from its URL, where they may be escaped. */
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
