import { parseUrl } from '../http/parse-url.ts'
import { clientError } from './errors.ts'
import type { ProxyConfig } from './http-config.ts'
import { parseNoProxy } from './no-proxy.ts'

/** The environment variables of a process by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The proxy for a URL; `undefined` if none. */
export type ProxyChoice = (url: URL) => URL | undefined

/**
 * Determines which proxies to use.
 *
 * @throws {GatehouseError} `UnusableProxy` if the URL of a configured proxy is not valid.
 * @see Prometheus, `<http_config>`
 */
export function chooseProxy(config: ProxyConfig, environment: Environment): ProxyChoice {
  if (config.proxy_from_environment) return choiceOfEnvironment(environment)
  const written = config.proxy_url?.reveal() ?? ''
  if (written === '') return () => undefined
  const proxy = proxyUrl(written)
  if (proxy === undefined) throw clientError('UnusableProxy', 'proxy_url is not the URL of a proxy')
  if (config.no_proxy === '') return () => proxy
  const isDirect = parseNoProxy(config.no_proxy)
  return (url) => (isDirect(url) ? undefined : proxy)
}

/** The proxies that a configuration may use for any URL. */
export function configuredProxies(config: ProxyConfig, environment: Environment): readonly URL[] {
  const written = config.proxy_from_environment
    ? ['HTTP_PROXY', 'HTTPS_PROXY'].map((name) => variable(environment, name))
    : [config.proxy_url?.reveal() ?? '']
  return written.flatMap((text) => proxyUrl(text) ?? [])
}

const variable = (environment: Environment, name: string): string =>
  environment[name] || environment[name.toLowerCase()] || ''

/** @see https://pkg.go.dev/golang.org/x/net/http/httpproxy#FromEnvironment */
function choiceOfEnvironment(environment: Environment): ProxyChoice {
  const forHttp = proxyUrl(variable(environment, 'HTTP_PROXY'))
  const forHttps = proxyUrl(variable(environment, 'HTTPS_PROXY'))
  const isDirect = parseNoProxy(variable(environment, 'NO_PROXY'))
  return (url) => {
    if (isDirect(url)) return undefined
    return url.protocol === 'https:' ? forHttps : forHttp
  }
}

/** The URL of a proxy; a host alone is valid. `undefined` if it is empty or not valid. */
function proxyUrl(written: string): URL | undefined {
  if (written === '') return undefined
  const whole = /^[a-z][a-z\d+.-]*:\/\/[^/]/i.test(written) ? written : `http://${written}`
  return parseUrl(whole)
}
