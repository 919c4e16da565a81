import {
  duration,
  type Fields,
  filledText,
  flag,
  integer,
  mapping,
  type Outside,
  oneOf,
  optional,
  outsidePath,
  parsedText,
  pathFrom,
  required,
  withDefault,
} from '@gatehouse/core/document'
import type { OwnSettings } from '@gatehouse/core/webhook'
import { type LogLevel, logLevels } from '../log/logger.ts'

/** How the command serves TLS. */
export interface TlsSettings {
  readonly cert: string
  readonly key: string
  readonly ca: string | undefined
  readonly min_version: '1.2' | '1.3'
}

/** What the file of `gatehouse api` says of the server, beside the settings of the webhook service. */
export interface ServerSettings {
  readonly port: number | undefined
  readonly host: string | undefined
  readonly socket: string | undefined
  readonly tls: TlsSettings | undefined
  readonly watch: boolean
  /** In ms. */
  readonly shutdown_grace: number
}

/** Limits of connections. Lengths of time are in ms. */
export interface ConnectionLimits {
  readonly header_timeout: number
  readonly request_timeout: number
  readonly keepalive_timeout: number
  readonly max_connections: number
}

/** How the command logs. */
export interface LogFileSettings {
  readonly format: 'text' | 'json'
  readonly level: LogLevel
}

const socket = parsedText(
  (path, _report, { directory }: Outside) => pathFrom(directory, path),
  filledText,
)

const fields: Fields<ServerSettings> = {
  port: optional(
    integer(0, 65_535),
    'Where to listen; 0 is any free port. Either this or `socket`. Default: 9093 with alerts, else 8081.',
  ),
  host: optional(filledText, 'Where to listen. Default: everywhere.'),
  socket: optional(
    socket,
    'A socket file in place of port and host, for its user and its group (mode 0660). One that a server left behind is replaced, one where a server listens is an error. It is removed at the end.',
  ),
  tls: optional(
    mapping<TlsSettings>(
      {
        cert: required(outsidePath, 'The certificate, a PEM file.'),
        key: required(outsidePath, 'Its key, a PEM file.'),
        ca: optional(
          outsidePath,
          'The authorities of clients, which then need a certificate. Default: clients need none.',
        ),
        min_version: withDefault(oneOf('1.2', '1.3'), '1.2', 'The lowest version of TLS.'),
      },
      { title: 'ServerTls' },
    ),
    'Serves TLS. Default: plain HTTP.',
  ),
  watch: withDefault(flag, false, 'Whether the file is loaded again when it changes.'),
  shutdown_grace: withDefault(
    duration(),
    '30s',
    'How long runs of webhooks may go on when the server stops.',
  ),
}

const limits: Fields<ConnectionLimits> = {
  header_timeout: withDefault(
    duration({ least: 1 }),
    '10s',
    'How long the headers of a request may take.',
  ),
  request_timeout: withDefault(
    duration({ least: 1 }),
    '30s',
    'How long a request may take to arrive.',
  ),
  keepalive_timeout: withDefault(
    duration({ least: 1 }),
    '5s',
    'How long an idle connection stays open.',
  ),
  max_connections: withDefault(integer(1), 1_024, 'How many connections there are at once.'),
}

/** The keys of the server in the file of `gatehouse api`. */
export const serverSettings: OwnSettings<ServerSettings, ConnectionLimits, LogFileSettings> = {
  fields,
  limits,
  log: {
    format: withDefault(oneOf('text', 'json'), 'text', 'How lines are written.'),
    level: withDefault(oneOf(...logLevels), 'info', 'The lowest level that is written.'),
  },
}
