import { parseAddressRange } from '@gatehouse/core/adapter'
import {
  duration,
  type Fields,
  filledText,
  flag,
  integer,
  listOf,
  mapping,
  type Outside,
  oneOf,
  optional,
  outsidePath,
  parsedText,
  pathFrom,
  required,
  textLike,
  withDefault,
} from '@gatehouse/core/document'
import type { OwnSettings } from '@gatehouse/core/webhook'
import { type LogFormat, type LogLevel, logFormats, logLevels } from '../log/logger.ts'

/** The TLS settings of the command. */
export interface TlsSettings {
  readonly cert: string
  readonly key: string
  readonly ca: string | undefined
  readonly min_version: '1.2' | '1.3'
}

/** The keys of a `gatehouse api` file for the server, without those of the webhook service. */
export interface ServerSettings {
  readonly port: number | undefined
  readonly host: string | undefined
  readonly socket: string | undefined
  readonly tls: TlsSettings | undefined
  /** Addresses and prefixes. */
  readonly trusted_proxies: readonly string[]
  readonly watch: boolean
  /** In ms. */
  readonly shutdown_grace: number
}

/** Limits of connections. Durations are in ms. */
export interface ConnectionLimits {
  readonly header_timeout: number
  readonly request_timeout: number
  readonly keepalive_timeout: number
  readonly max_connections: number
}

/** The log settings of the command. */
export interface LogFileSettings {
  readonly format: LogFormat
  readonly level: LogLevel
}

const socket = parsedText(
  (path, _report, { directory }: Outside) => pathFrom(directory, path),
  filledText,
)

const addressRange = textLike(
  (written) => parseAddressRange(written) !== undefined,
  'an IP address, or a prefix such as 10.0.0.0/8',
)

const fields: Fields<ServerSettings> = {
  port: optional(
    integer(0, 65_535),
    'The port; 0 is any free one. Either this or `socket`. Default: 9093 with alerts, else 8081.',
  ),
  host: optional(filledText, 'The address to listen on. Default: all addresses.'),
  socket: optional(
    socket,
    'A socket file instead of port and host, accessible to its user and group (mode 0660). A file left by an earlier server is replaced; if a server listens there, the start fails. It is removed at the end.',
  ),
  tls: optional(
    mapping<TlsSettings>(
      {
        cert: required(outsidePath, 'The certificate, a PEM file.'),
        key: required(outsidePath, 'Its key, a PEM file.'),
        ca: optional(
          outsidePath,
          'The CA of client certificates, which are then required. Default: clients need none.',
        ),
        min_version: withDefault(oneOf('1.2', '1.3'), '1.2', 'The lowest version of TLS.'),
      },
      { title: 'ServerTls' },
    ),
    'Serves TLS. Default: plain HTTP.',
  ),
  trusted_proxies: withDefault(
    listOf(addressRange),
    [],
    'The [proxies in front](deploy.md#behind-a-proxy), as addresses and prefixes: their `X-Forwarded-For` says whose request it is, and their `X-Forwarded-Proto` whether it came over TLS. A connection to a socket file counts as one of them. Default: no proxy is trusted.',
  ),
  watch: withDefault(flag, false, 'Whether to reload the file when it changes.'),
  shutdown_grace: withDefault(
    duration({ takesSeconds: true }),
    '30s',
    'How long runs of webhooks may continue when the server stops.',
  ),
}

const limits: Fields<ConnectionLimits> = {
  header_timeout: withDefault(
    duration({ least: 1, takesSeconds: true }),
    '10s',
    'The timeout for the headers of a request.',
  ),
  request_timeout: withDefault(
    duration({ least: 1, takesSeconds: true }),
    '30s',
    'The timeout for a whole request to arrive.',
  ),
  keepalive_timeout: withDefault(
    duration({ least: 1, takesSeconds: true }),
    '5s',
    'How long an idle connection stays open.',
  ),
  max_connections: withDefault(integer(1), 1_024, 'The most concurrent connections.'),
}

/** The keys of the server in a `gatehouse api` file. */
export const serverSettings: OwnSettings<ServerSettings, ConnectionLimits, LogFileSettings> = {
  fields,
  limits,
  log: {
    format: withDefault(oneOf(...logFormats), 'logfmt', 'The format of log lines.'),
    level: withDefault(oneOf(...logLevels), 'info', 'The lowest level that is logged.'),
  },
}
