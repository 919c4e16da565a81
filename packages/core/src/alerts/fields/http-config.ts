import {
  block,
  type ConfigKind,
  flag,
  listOf,
  mapOf,
  optional,
  type Report,
  text,
  textMap,
  texts,
} from '@gatehouse/go-template/yaml'
import type { Secret } from '../../crypto/secret.ts'
import type {
  Authorization,
  BasicAuth,
  HttpConfig,
  HttpHeader,
  OAuth2,
  ProxyConfig,
} from '../../http-client/http-config.ts'
import { path } from './path.ts'
import { atMostOne, isSet } from './requirements.ts'
import { secret, secretItem } from './secrets.ts'
import { tlsConfig } from './tls-config.ts'
import { anyUrl, urlText } from './urls.ts'

/** The keys of the old form; the decoder converts them to `authorization`. */
interface OldHttpConfig extends HttpConfig {
  readonly bearer_token?: Secret
  readonly bearer_token_file?: string
}

const basicAuth = block<BasicAuth>({
  typeName: 'config.plain',
  fields: {
    username: { kind: text, print: 'always' },
    username_file: { kind: path },
    password: { kind: secret },
    password_file: { kind: path },
  },
})

const authorization = block<Authorization>({
  typeName: 'config.Authorization',
  fields: {
    type: { kind: text },
    credentials: { kind: secret },
    credentials_file: { kind: path },
  },
})

const secrets = listOf(secretItem, '[]config.Secret')
const connectHeader = mapOf(secrets, 'config.Header')

const oauth2 = block<OAuth2>({
  typeName: 'config.OAuth2',
  fields: {
    client_id: { kind: text, print: 'always' },
    client_secret: {
      kind: { ...secret, encode: (value) => value?.toString() ?? null },
      print: 'always',
    },
    client_secret_file: { kind: path, print: 'always' },
    scopes: { kind: texts },
    token_url: { kind: { ...urlText, encode: (url) => String(url ?? '') }, print: 'always' },
    endpoint_params: { kind: textMap },
    proxy_url: { kind: anyUrl },
    no_proxy: { kind: text },
    proxy_from_environment: { kind: flag },
    proxy_connect_header: { kind: connectHeader },
    tls_config: { kind: tlsConfig },
  },
})

const httpHeader = block<HttpHeader>({
  typeName: 'config.Header',
  fields: {
    values: { kind: texts },
    secrets: { kind: secrets },
    files: { kind: listOf(path, '[]string') },
  },
})

const reservedHeaders = new Set([
  'Authorization',
  'Host',
  'Content-Encoding',
  'Content-Length',
  'Content-Type',
  'User-Agent',
  'Connection',
  'Keep-Alive',
  'Proxy-Authenticate',
  'Proxy-Authorization',
  'Www-Authenticate',
  'Accept-Encoding',
  'X-Prometheus-Remote-Write-Version',
  'X-Prometheus-Remote-Read-Version',
  'X-Prometheus-Scrape-Timeout-Seconds',
  'X-Amz-Date',
  'X-Amz-Security-Token',
  'X-Amz-Content-Sha256',
])

/** The canonical name of a header: `x-foo` becomes `X-Foo`; a name with invalid characters stays. */
export function canonicalHeader(name: string): string {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) return name
  return name.toLowerCase().replace(/(^|-)([a-z])/g, (match) => match.toUpperCase())
}

/** `<http_config>` */
export const httpConfig: ConfigKind<HttpConfig> = block<OldHttpConfig>({
  typeName: 'config.plain',
  fields: {
    basic_auth: { kind: optional(basicAuth) },
    authorization: { kind: optional(authorization) },
    oauth2: { kind: optional(oauth2) },
    bearer_token: { kind: secret },
    bearer_token_file: { kind: optional(path) },
    proxy_url: { kind: anyUrl },
    no_proxy: { kind: text },
    proxy_from_environment: { kind: flag },
    proxy_connect_header: { kind: connectHeader },
    tls_config: { kind: tlsConfig },
    follow_redirects: { kind: flag, default: true, print: 'always' },
    enable_http2: { kind: flag, default: true, print: 'always' },
    http_headers: { kind: mapOf(httpHeader, 'config.plain') },
  },
  check(http, report) {
    checkAuthentication(http, report)
    if (http.oauth2 !== undefined) checkOAuth2(http.oauth2, report)
    checkProxy(http, report)
    for (const name of http.http_headers.keys()) {
      const canonical = canonicalHeader(name)
      if (reservedHeaders.has(canonical)) report(`setting header "${canonical}" is not allowed`)
    }
  },
  complete({ bearer_token, bearer_token_file, ...http }) {
    const credentials = http.authorization ?? {
      ...(bearer_token === undefined ? {} : { credentials: bearer_token }),
      credentials_file: bearer_token_file ?? '',
      type: '',
    }
    const isOld = bearer_token !== undefined || bearer_token_file !== undefined
    if (http.authorization === undefined && !isOld) return http
    return { ...http, authorization: { ...credentials, type: credentials.type.trim() || 'Bearer' } }
  },
})

/** The settings if nothing is configured. */
export const defaultHttpConfig: HttpConfig = httpConfig.zero

function checkAuthentication(http: OldHttpConfig, report: Report): void {
  const { basic_auth: basic, authorization: auth, bearer_token, bearer_token_file } = http
  const bearer = isSet(bearer_token) || isSet(bearer_token_file)
  atMostOne(report, [bearer_token, bearer_token_file], 'bearer_token & bearer_token_file')
  if (isSet(basic) || isSet(http.oauth2)) {
    const ways = 'basic_auth, oauth2, bearer_token & bearer_token_file'
    atMostOne(report, [basic ?? http.oauth2, bearer], ways)
  }
  if (basic !== undefined) {
    const { username, username_file, password, password_file } = basic
    const form = (name: string): string => `basic_auth ${name}, ${name}_file & ${name}_ref`
    atMostOne(report, [username, username_file], form('username'), 'basic_auth')
    atMostOne(report, [password, password_file], form('password'), 'basic_auth')
  }
  if (auth !== undefined) {
    if (bearer) report('authorization is not compatible with bearer_token & bearer_token_file')
    const { credentials, credentials_file } = auth
    const names = 'authorization credentials & credentials_file'
    atMostOne(report, [credentials, credentials_file], names, 'authorization')
    if (auth.type.trim().toLowerCase() === 'basic') {
      const message = 'authorization type cannot be set to "basic", use "basic_auth" instead'
      report(message, 'authorization')
    }
  }
  atMostOne(report, [basic, http.oauth2, auth], 'basic_auth, oauth2 & authorization')
}

function checkOAuth2(oauth: OAuth2, report: Report): void {
  if (oauth.client_id === '') report('oauth2 client_id must be configured', 'oauth2')
  if (oauth.token_url === undefined) report('oauth2 token_url must be configured', 'oauth2')
  const names = 'oauth2 client_secret, client_secret_file & client_secret_ref'
  atMostOne(report, [oauth.client_secret, oauth.client_secret_file], names, 'oauth2')
  checkProxy(oauth, report)
}

function checkProxy(proxy: ProxyConfig, report: Report): void {
  const hasUrl = (proxy.proxy_url?.reveal() ?? '') !== ''
  if (isSet(proxy.proxy_connect_header) && !hasUrl && !proxy.proxy_from_environment) {
    const message =
      'if proxy_connect_header is configured, proxy_url or proxy_from_environment must also be configured'
    report(message, 'proxy_connect_header')
  }
  if (proxy.proxy_from_environment && hasUrl) {
    report('if proxy_from_environment is configured, proxy_url must not be configured')
  }
  if (proxy.proxy_from_environment && proxy.no_proxy !== '') {
    report('if proxy_from_environment is configured, no_proxy must not be configured')
  } else if (!hasUrl && proxy.no_proxy !== '') {
    report('if no_proxy is configured, proxy_url must also be configured')
  }
}
