import {
  block,
  type ConfigKind,
  decimal,
  flag,
  mapOf,
  oneOf,
  text,
} from '@gatehouse/go-template/yaml'
import type { Secret } from '../../crypto/secret.ts'
import type { TlsConfig } from '../../http-client/http-config.ts'
import { durationIfSet } from '../fields/durations.ts'
import { secretItem } from '../fields/secrets.ts'
import { tlsConfig } from '../fields/tls-config.ts'

/** Where traces are sent. @see Alertmanager configuration, `tracing` */
export interface TracingConfig {
  readonly client_type: 'grpc' | 'http'
  readonly endpoint: string
  /** From 0 (none) to 1 (all). */
  readonly sampling_fraction: number
  readonly insecure: boolean
  readonly tls_config?: TlsConfig
  readonly http_headers: ReadonlyMap<string, Secret>
  readonly compression: '' | 'gzip'
  /** In ms; 0 means none. */
  readonly timeout: number
}

/** `tracing` */
export const tracing: ConfigKind<TracingConfig> = block<TracingConfig>({
  typeName: 'config.plain',
  fields: {
    client_type: {
      kind: oneOf(['grpc', 'http'], 'grpc', (given) => {
        return `unknown tracing client type: ${given} expected either 'http' or 'grpc'`
      }),
      default: 'grpc',
    },
    endpoint: { kind: text },
    sampling_fraction: { kind: decimal },
    insecure: { kind: flag },
    tls_config: { kind: tlsConfig },
    http_headers: { kind: mapOf(secretItem, 'map[string]string') },
    compression: {
      kind: oneOf<'' | 'gzip'>(['gzip', ''], '', (given) => {
        return `unknown tracing compression: ${given} expected 'gzip'`
      }),
    },
    timeout: { kind: durationIfSet },
  },
  check({ endpoint, sampling_fraction }, report) {
    if (endpoint === '') report('tracing endpoint must be set')
    if (sampling_fraction < 0 || sampling_fraction > 1) {
      report('tracing sampling_fraction must be between 0 and 1', 'sampling_fraction')
    }
  },
})
