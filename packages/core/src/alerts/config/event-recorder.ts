import {
  block,
  type ConfigKind,
  flag,
  integer,
  listOf,
  oneOf,
  optional,
  text,
  texts,
  type WholeNumber,
} from '@gatehouse/go-template/yaml'
import type { Secret } from '../../crypto/secret.ts'
import type { HttpConfig, TlsConfig } from '../../http-client/http-config.ts'
import { duration } from '../fields/durations.ts'
import { httpConfig } from '../fields/http-config.ts'
import { path } from '../fields/path.ts'
import { tlsConfig } from '../fields/tls-config.ts'
import { secretUrl } from '../fields/urls.ts'

/** Events as lines of a file. */
export interface EventFileOutput {
  readonly path: string
}

/** Events posted to a URL. Times are in ms. */
export interface EventWebhookOutput {
  readonly url?: Secret
  readonly http_config?: HttpConfig
  readonly timeout: number
  readonly workers: WholeNumber
  readonly max_retries: WholeNumber
  readonly retry_backoff: number
  readonly batch: boolean
  readonly batch_max_events: WholeNumber
  readonly batch_max_bytes: WholeNumber
  readonly batch_flush_interval: number
}

/** Events sent to a Kafka topic. */
export interface EventKafkaOutput {
  readonly brokers: readonly string[]
  readonly topic: string
  readonly client_id: string
  readonly format: 'json' | 'protobuf'
  readonly acks: string
  readonly compression: string
  readonly buffer_size: WholeNumber
  readonly tls_config?: TlsConfig
}

/** Where events are recorded. @see Alertmanager configuration, `event_recorder` */
export interface EventRecorderConfig {
  readonly file_outputs: readonly EventFileOutput[]
  readonly webhook_outputs: readonly EventWebhookOutput[]
  readonly kafka_outputs: readonly EventKafkaOutput[]
  readonly stdout_outputs: readonly Readonly<Record<never, never>>[]
}

const fileOutput = block<EventFileOutput>({
  typeName: 'config.EventRecorderFileOutput',
  fields: { path: { kind: path } },
  check(output, report) {
    if (output.path === '') report('missing path in event recorder file output')
  },
})

const webhookOutput = block<EventWebhookOutput>({
  typeName: 'config.EventRecorderWebhookOutput',
  fields: {
    url: { kind: secretUrl },
    http_config: { kind: optional(httpConfig) },
    timeout: { kind: duration, default: 10_000 },
    workers: { kind: integer('int'), default: 4 },
    max_retries: { kind: integer('int'), default: 3 },
    retry_backoff: { kind: duration, default: 500 },
    batch: { kind: flag },
    batch_max_events: { kind: integer('int'), default: 100 },
    batch_max_bytes: { kind: integer('int'), default: 1_048_576 },
    batch_flush_interval: { kind: duration, default: 100 },
  },
  check(output, report) {
    if (output.url === undefined) report('missing url in event recorder webhook output')
  },
})

const kafkaOutput = block<EventKafkaOutput>({
  typeName: 'config.EventRecorderKafkaOutput',
  fields: {
    brokers: { kind: texts },
    topic: { kind: text },
    client_id: { kind: text },
    format: {
      kind: oneOf(['json', 'protobuf'], 'json', (given) => {
        return `unknown event recorder format "${given}", must be json or protobuf`
      }),
      default: 'json',
    },
    acks: { kind: text },
    compression: { kind: text },
    buffer_size: { kind: integer('int'), default: 1024 },
    tls_config: { kind: tlsConfig },
  },
  check({ brokers, topic }, report) {
    if (brokers.length === 0) report('missing brokers in event recorder kafka output')
    if (topic === '') report('missing topic in event recorder kafka output')
  },
})

const stdoutOutput = block<Readonly<Record<never, never>>>({
  typeName: 'config.EventRecorderStdoutOutput',
  fields: {},
})

/** `event_recorder` */
export const eventRecorder: ConfigKind<EventRecorderConfig> = block<EventRecorderConfig>({
  typeName: 'config.plain',
  fields: {
    file_outputs: { kind: listOf(fileOutput, '[]config.EventRecorderFileOutput') },
    webhook_outputs: { kind: listOf(webhookOutput, '[]config.EventRecorderWebhookOutput') },
    kafka_outputs: { kind: listOf(kafkaOutput, '[]config.EventRecorderKafkaOutput') },
    stdout_outputs: { kind: listOf(stdoutOutput, '[]config.EventRecorderStdoutOutput') },
  },
})
