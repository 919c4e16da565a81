import type { Secret } from '../crypto/secret.ts'

/** The lowest or highest TLS version. */
export type TlsVersion = 'TLS10' | 'TLS11' | 'TLS12' | 'TLS13'

/** How to connect with TLS. Texts are empty if not configured. @see Prometheus, `<tls_config>` */
export interface TlsConfig {
  /** The CA certificates to trust, as PEM. */
  readonly ca: string
  readonly cert: string
  readonly key?: Secret
  readonly ca_file: string
  readonly cert_file: string
  readonly key_file: string
  readonly server_name: string
  readonly insecure_skip_verify: boolean
  readonly min_version?: TlsVersion
  readonly max_version?: TlsVersion
}

/** Credentials of HTTP basic authentication. Texts are empty if not configured. */
export interface BasicAuth {
  readonly username: string
  readonly username_file: string
  readonly password?: Secret
  readonly password_file: string
}

/** The header `Authorization`. */
export interface Authorization {
  /** The scheme, such as `Bearer`. */
  readonly type: string
  readonly credentials?: Secret
  readonly credentials_file: string
}

/** The proxy to use. */
export interface ProxyConfig {
  readonly proxy_url?: Secret
  /** Hosts that are reached directly, separated by commas. */
  readonly no_proxy: string
  readonly proxy_from_environment: boolean
  /** Headers of the `CONNECT` request to the proxy. */
  readonly proxy_connect_header: ReadonlyMap<string, readonly Secret[]>
}

/** Tokens by the OAuth 2.0 client-credentials grant. @see RFC 6749, section 4.4 */
export interface OAuth2 extends ProxyConfig {
  readonly client_id: string
  readonly client_secret?: Secret
  readonly client_secret_file: string
  readonly scopes: readonly string[]
  readonly token_url?: Secret
  readonly endpoint_params: ReadonlyMap<string, string>
  readonly tls_config?: TlsConfig
}

/** The values of one header: texts, secrets and the contents of files, all of which are sent. */
export interface HttpHeader {
  readonly values: readonly string[]
  readonly secrets: readonly Secret[]
  readonly files: readonly string[]
}

/** How to send requests. At most one of the three ways to authenticate is set. @see Prometheus, `<http_config>` */
export interface HttpConfig extends ProxyConfig {
  readonly basic_auth?: BasicAuth
  readonly authorization?: Authorization
  readonly oauth2?: OAuth2
  readonly tls_config?: TlsConfig
  readonly follow_redirects: boolean
  readonly enable_http2: boolean
  readonly http_headers: ReadonlyMap<string, HttpHeader>
}
