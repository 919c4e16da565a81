/** How to connect with TLS. @see Prometheus, `<tls_config>` */
export interface AlertmanagerTlsConfig {
  /** The CA certificates to trust, as PEM. Either this or `ca_file`. */
  readonly ca?: string
  /** The client's certificate, as PEM. Either this or `cert_file`. */
  readonly cert?: string
  /** The client's key, as PEM. A secret. Either this or `key_file`. */
  readonly key?: string
  readonly ca_file?: string
  readonly cert_file?: string
  readonly key_file?: string
  /** The name that the server's certificate must have (default: the host of the URL). */
  readonly server_name?: string
  /** Whether any certificate is accepted (default `false`). */
  readonly insecure_skip_verify?: boolean
  readonly min_version?: AlertmanagerTlsVersion
  readonly max_version?: AlertmanagerTlsVersion
}

type AlertmanagerTlsVersion = 'TLS10' | 'TLS11' | 'TLS12' | 'TLS13'

/** The proxy to use. */
interface AlertmanagerProxyConfig {
  /** The proxy's URL (default: no proxy). */
  readonly proxy_url?: string
  /** Comma-separated hosts that are reached directly. Needs `proxy_url`. */
  readonly no_proxy?: string
  /** Whether to use `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` (default `false`). */
  readonly proxy_from_environment?: boolean
  /** Headers of the `CONNECT` request to the proxy. Their values are secrets. */
  readonly proxy_connect_header?: Readonly<Record<string, readonly string[]>>
}

interface AlertmanagerBasicAuth {
  readonly username?: string
  readonly username_file?: string
  /** A secret. Either this or `password_file`. */
  readonly password?: string
  readonly password_file?: string
}

interface AlertmanagerAuthorization {
  /** The scheme of the header `Authorization` (default `Bearer`). */
  readonly type?: string
  /** A secret. Either this or `credentials_file`. */
  readonly credentials?: string
  readonly credentials_file?: string
}

/** Tokens by the OAuth 2.0 client-credentials grant. @see RFC 6749, section 4.4 */
interface AlertmanagerOAuth2 extends AlertmanagerProxyConfig {
  readonly client_id: string
  /** A secret. Either this or `client_secret_file`. */
  readonly client_secret?: string
  readonly client_secret_file?: string
  readonly scopes?: readonly string[]
  /** The token endpoint. */
  readonly token_url: string
  /** Additional parameters of the token request. */
  readonly endpoint_params?: Readonly<Record<string, string>>
  readonly tls_config?: AlertmanagerTlsConfig
}

/** The values of one header; all of them are sent. */
interface AlertmanagerHttpHeader {
  readonly values?: readonly string[]
  /** Secret values. */
  readonly secrets?: readonly string[]
  /** Files with further values. */
  readonly files?: readonly string[]
}

/**
 * How to send requests. At most one of `basic_auth`, `authorization` and `oauth2`.
 *
 * @see Prometheus, `<http_config>`
 */
export interface AlertmanagerHttpConfig extends AlertmanagerProxyConfig {
  readonly basic_auth?: AlertmanagerBasicAuth
  readonly authorization?: AlertmanagerAuthorization
  readonly oauth2?: AlertmanagerOAuth2
  /** The old form of `authorization.credentials`. A secret. */
  readonly bearer_token?: string
  /** The old form of `authorization.credentials_file`. */
  readonly bearer_token_file?: string
  readonly tls_config?: AlertmanagerTlsConfig
  /** Default `true`. */
  readonly follow_redirects?: boolean
  /** Default `true`. */
  readonly enable_http2?: boolean
  /** Additional headers by name. */
  readonly http_headers?: Readonly<Record<string, AlertmanagerHttpHeader>>
}
