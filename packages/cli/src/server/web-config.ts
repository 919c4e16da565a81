import {
  block,
  type ConfigKind,
  integer,
  mapOf,
  oneOf,
  optional,
  text,
  textMap,
  texts,
} from '@gatehouse/core/config'
import { duration } from '../config/config-file.ts'
import { isBcryptHash } from './basic-auth.ts'

const clientAuthTypes = [
  'NoClientCert',
  'RequestClientCert',
  'RequireAnyClientCert',
  'VerifyClientCertIfGiven',
  'RequireAndVerifyClientCert',
] as const
/** Whether clients are asked for a certificate, and which ones are accepted. */
export type ClientAuthType = (typeof clientAuthTypes)[number]

/** `tls_server_config` of the web configuration file. Paths are relative to the file. */
export interface TlsServerConfig {
  readonly cert: string
  readonly cert_file: string
  readonly key: string
  readonly key_file: string
  readonly client_ca: string
  readonly client_ca_file: string
  readonly client_auth_type: ClientAuthType
  readonly client_allowed_sans: readonly string[]
  readonly min_version: TlsVersion
  readonly max_version: TlsVersion
  readonly cipher_suites: readonly string[]
  readonly curve_preferences: readonly string[]
  readonly prefer_server_cipher_suites: string
}

const tlsVersions = ['TLS10', 'TLS11', 'TLS12', 'TLS13'] as const
/** A version of TLS, as the file names it. */
export type TlsVersion = (typeof tlsVersions)[number]

/** The web configuration file of Alertmanager. */
export interface WebConfig {
  readonly tls_server_config: TlsServerConfig | undefined
  readonly http_server_config: HttpServerConfig
  readonly basic_auth_users: ReadonlyMap<string, string>
  readonly rate_limit: RateLimitConfig
}

/** `http_server_config` of the web configuration file. */
export interface HttpServerConfig {
  /** Accepted and ignored: only HTTP/1.1 is served. */
  readonly http2: string
  readonly headers: ReadonlyMap<string, string>
}

/** `rate_limit` of the web configuration file. */
export interface RateLimitConfig {
  /** In ms; 0 disables the limit. */
  readonly interval: number
  readonly burst: number | bigint
}

const tlsVersion = (fallback: TlsVersion): ConfigKind<TlsVersion> =>
  oneOf(tlsVersions, fallback, (given) => `unknown TLS version: ${given}`)

const tlsServerConfig: ConfigKind<TlsServerConfig> = block<TlsServerConfig>({
  typeName: 'tls_server_config',
  fields: {
    cert: { kind: text },
    cert_file: { kind: text },
    key: { kind: text },
    key_file: { kind: text },
    client_ca: { kind: text },
    client_ca_file: { kind: text },
    client_auth_type: {
      kind: oneOf(clientAuthTypes, 'NoClientCert', (given) => `unknown client_auth_type: ${given}`),
    },
    client_allowed_sans: { kind: texts },
    min_version: { kind: tlsVersion('TLS12') },
    max_version: { kind: tlsVersion('TLS13') },
    cipher_suites: { kind: texts },
    curve_preferences: { kind: texts },
    prefer_server_cipher_suites: { kind: text },
  },
  check(tls, report) {
    for (const part of ['cert', 'key'] as const) {
      const inFile = tls[`${part}_file`] !== ''
      if (tls[part] === '' && !inFile) report(`missing one of ${part} or ${part}_file`)
      if (tls[part] !== '' && inFile) {
        report(`at most one of ${part} and ${part}_file must be configured`, part)
      }
    }
    const hasCa = tls.client_ca !== '' || tls.client_ca_file !== ''
    if (hasCa && tls.client_auth_type === 'NoClientCert') {
      report('client CAs are configured without a client_auth_type that asks for certificates')
    }
    if (!hasCa && /Verify/.test(tls.client_auth_type)) {
      report(`client_auth_type ${tls.client_auth_type} needs client_ca or client_ca_file`)
    }
    if (tls.client_allowed_sans.length > 0 && !/Verify/.test(tls.client_auth_type)) {
      report('client_allowed_sans needs a client_auth_type that verifies certificates')
    }
    if (tls.min_version > tls.max_version) report('min_version is above max_version', 'min_version')
  },
})

/** Headers that may be set. Others could break responses. */
const settableHeaders = [
  'Content-Security-Policy',
  'X-Frame-Options',
  'X-Content-Type-Options',
  'X-XSS-Protection',
  'Strict-Transport-Security',
  'Cache-Control',
]

const httpServerConfig: ConfigKind<HttpServerConfig> = block<HttpServerConfig>({
  typeName: 'http_server_config',
  fields: { http2: { kind: text }, headers: { kind: textMap } },
  check({ headers }, report) {
    for (const [name, value] of headers) {
      const known = settableHeaders.some((header) => header.toLowerCase() === name.toLowerCase())
      if (!known) report(`HTTP header "${name}" can not be configured`, 'headers')
      else if (/[\r\n\0]/.test(value)) report(`HTTP header "${name}" has a line break`, 'headers')
    }
  },
})

const rateLimit: ConfigKind<RateLimitConfig> = block<RateLimitConfig>({
  typeName: 'rate_limit',
  fields: { interval: { kind: duration }, burst: { kind: integer('int') } },
  check({ interval, burst }, report) {
    if (interval > 0 && burst < 1) report('burst must be at least 1')
  },
})

/** @see Prometheus exporter toolkit, "Web configuration" */
export const webConfigKind: ConfigKind<WebConfig> = block<WebConfig>({
  typeName: 'web configuration',
  fields: {
    tls_server_config: { kind: optional(tlsServerConfig) },
    http_server_config: { kind: httpServerConfig },
    basic_auth_users: { kind: mapOf(text, 'map[string]string') },
    rate_limit: { kind: rateLimit },
  },
  check({ basic_auth_users }, report) {
    for (const [name, hash] of basic_auth_users) {
      if (!isBcryptHash(hash))
        report(`the password of "${name}" is not a bcrypt hash`, 'basic_auth_users')
    }
  },
})
