import type { WrittenHistory, WrittenLimits } from './limits.ts'
import type { WrittenSecret } from './outside.ts'
import type { WebhookDefaults, WebhookDefinition } from './webhook-definition.ts'

/**
 * The configuration of the webhook service as an object, with the keys of its text. A length of time is a number of seconds, or a text
 * such as `500ms`, `30s`, `10m`, `24h` or `7d`; a size is a number of bytes, or a text such as `64KiB` or `10MB`.
 */
export interface WebhooksConfig {
  /** Default: none. */
  readonly webhooks?: readonly WebhookDefinition[]
  /** Values for the optional keys of every webhook; its own win. */
  readonly defaults?: WebhookDefaults
  /** What every path begins with, as `/hooks` (default: nothing). */
  readonly url_prefix?: string
  /** Whether `POST /hash` is served (default `true`). */
  readonly hash_endpoint?: boolean
  /** Whether an unknown id is answered as a wrong token (default `false`). */
  readonly hide_ids?: boolean
  /** Opens every run and the list of them (default: nobody may). */
  readonly admin?: { readonly token: WrittenSecret }
  /** What bounds the whole service. */
  readonly limits?: WrittenLimits
  /** What is kept of runs. */
  readonly history?: WrittenHistory
  /** Which kind of process starts commands (default `auto`). */
  readonly executor?: 'auto' | 'direct' | 'launcher'
  /** Addresses and prefixes whose `X-Forwarded-For` is believed (default none). */
  readonly trusted_proxies?: readonly string[]
  /** Whether `GET /metrics` is served (default `false`). */
  readonly metrics?: boolean
  /** How long runs may go on when the server stops (default `30s`). */
  readonly shutdown_grace?: string | number
  /** Where the command listens; 0 is any free port (default 8081). Either this or `socket`. */
  readonly port?: number
  /** Where the command listens (default: everywhere). */
  readonly host?: string
  /** The path of a Unix socket that the command listens at. */
  readonly socket?: string
  /** How the command serves TLS (default: plain HTTP). */
  readonly tls?: WrittenTls
  /** Whether the command loads the file again when it changes (default `false`). */
  readonly watch?: boolean
  readonly log?: WrittenLog
}

/** PEM files. */
interface WrittenTls {
  readonly cert: string
  readonly key: string
  /** The authorities of clients, which then need a certificate (default: clients need none). */
  readonly ca?: string
  /** Default `1.2`. */
  readonly min_version?: '1.2' | '1.3'
}

interface WrittenLog {
  /** Of the command (default `text`). */
  readonly format?: 'text' | 'json'
  /** Of the command (default `info`). */
  readonly level?: 'debug' | 'info' | 'warn' | 'error'
  /** Whether each line that a command writes is logged (default `false`). */
  readonly run_output?: boolean
}
