import type {
  AlertmanagerHttpConfig,
  AlertmanagerTlsConfig,
} from '../../fields/written/http-config.ts'

/** Where traces are sent. @see Alertmanager configuration, `tracing` */
export interface AlertmanagerTracing {
  /** Default `grpc`. */
  readonly client_type?: 'grpc' | 'http'
  readonly endpoint: string
  /** From 0 (none) to 1 (all); default 0. */
  readonly sampling_fraction?: number
  /** Whether the connection is unencrypted (default `false`). */
  readonly insecure?: boolean
  readonly tls_config?: AlertmanagerTlsConfig
  /** Their values are secrets. */
  readonly http_headers?: Readonly<Record<string, string>>
  /** Default: none. */
  readonly compression?: '' | 'gzip'
  /** Default: none. */
  readonly timeout?: string
}

/** Events as lines of a file. */
interface AlertmanagerEventFile {
  readonly path: string
}

/** Events posted to a URL. */
interface AlertmanagerEventWebhook {
  /** A secret. */
  readonly url: string
  readonly http_config?: AlertmanagerHttpConfig
  /** Default `10s`. */
  readonly timeout?: string
  /** Default 4. */
  readonly workers?: number | bigint
  /** Default 3. */
  readonly max_retries?: number | bigint
  /** Default `500ms`. */
  readonly retry_backoff?: string
  /** Whether events are sent in batches (default `false`). */
  readonly batch?: boolean
  /** Default 100. */
  readonly batch_max_events?: number | bigint
  /** Default 1 MiB. */
  readonly batch_max_bytes?: number | bigint
  /** Default `100ms`. */
  readonly batch_flush_interval?: string
}

/** Events sent to a Kafka topic. */
interface AlertmanagerEventKafka {
  readonly brokers: readonly string[]
  readonly topic: string
  readonly client_id?: string
  /** Default `json`. */
  readonly format?: 'json' | 'protobuf'
  readonly acks?: string
  readonly compression?: string
  /** The number of events (default 1024). */
  readonly buffer_size?: number | bigint
  readonly tls_config?: AlertmanagerTlsConfig
}

/** Events written to the standard output; it has no settings. */
type AlertmanagerEventStdout = Readonly<Record<never, never>>

/** Where events are recorded. @see Alertmanager configuration, `event_recorder` */
export interface AlertmanagerEventRecorder {
  readonly file_outputs?: readonly AlertmanagerEventFile[]
  readonly webhook_outputs?: readonly AlertmanagerEventWebhook[]
  readonly kafka_outputs?: readonly AlertmanagerEventKafka[]
  readonly stdout_outputs?: readonly AlertmanagerEventStdout[]
}
