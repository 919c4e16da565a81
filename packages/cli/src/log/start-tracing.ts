import { readFile } from 'node:fs/promises'
import type { Logger, Tracer } from '@gatehouse/core'
import {
  type AlertsConfig,
  type AlertsConfigSource,
  loadAlertsConfig,
  type MatcherMode,
} from '@gatehouse/core/alerts'
import { readTlsOptions } from '@gatehouse/core/config'
import type { SpanExporter } from '@opentelemetry/sdk-trace-node'
import { loadIfInstalled } from '../load-if-installed.ts'
import type { Stoppable } from '../shutdown.ts'

/** Spans that are sent to a collector. */
export interface Tracing extends Stoppable {
  readonly tracer: Tracer
}

type TracingConfig = NonNullable<AlertsConfig['tracing']>

/** Imports of optional packages. */
export interface TracingLoaders {
  readonly sdk: () => Promise<typeof import('@opentelemetry/sdk-trace-node')>
  readonly resources: () => Promise<typeof import('@opentelemetry/resources')>
  readonly http: () => Promise<typeof import('@opentelemetry/exporter-trace-otlp-proto')>
  readonly grpc: () => Promise<typeof import('@opentelemetry/exporter-trace-otlp-grpc')>
}

const installed: TracingLoaders = {
  sdk: () => import('@opentelemetry/sdk-trace-node'),
  resources: () => import('@opentelemetry/resources'),
  http: () => import('@opentelemetry/exporter-trace-otlp-proto'),
  grpc: () => import('@opentelemetry/exporter-trace-otlp-grpc'),
}

/** Which configuration to read `tracing` from, and where to report. */
export interface TracingOptions {
  /** `undefined` if no alert service is configured. */
  readonly config: AlertsConfigSource | undefined
  readonly matcherMode: MatcherMode
  readonly version: string
  readonly logger: Logger
}

/**
 * Starts to send spans as `tracing` of an `alertmanager.yml` says.
 *
 * @returns `undefined` without that section, or if this is not possible, which is logged.
 */
export async function startTracing(
  { config, matcherMode, version, logger }: TracingOptions,
  loaders: TracingLoaders = installed,
): Promise<Tracing | undefined> {
  // Most configurations have none, and need not be loaded twice.
  if (config === undefined || !config.text.includes('tracing')) return undefined
  const { text, ...place } = config
  const { tracing } = loadAlertsConfig(text, { ...place, matcherMode })
  if (tracing === undefined) return undefined
  try {
    return await start(tracing, { version, logger }, loaders)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    logger.warn({ why }, 'tracing has no effect')
    return undefined
  }
}

async function start(
  config: TracingConfig,
  { version, logger }: Pick<TracingOptions, 'version' | 'logger'>,
  loaders: TracingLoaders,
): Promise<Tracing> {
  const sdk = await needed('@opentelemetry/sdk-trace-node', loaders.sdk)
  const resources = await needed('@opentelemetry/resources', loaders.resources)
  const provider = new sdk.NodeTracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': 'gatehouse',
      'service.version': version,
    }),
    sampler: new sdk.ParentBasedSampler({
      root: new sdk.TraceIdRatioBasedSampler(config.sampling_fraction),
    }),
    spanProcessors: [
      new sdk.BatchSpanProcessor(reporting(await createExporter(config, loaders), logger)),
    ],
  })
  // Keeps the active span across asynchronous work.
  provider.register()
  return {
    name: 'tracing',
    tracer: provider.getTracer('gatehouse', version),
    // It fails if the last spans were lost, which is logged then.
    stop: () => provider.shutdown().catch(() => {}),
  }
}

/** Logs once that spans are lost, and once that they are sent again: the SDK reports neither. */
function reporting(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { code, error } = result
        const failed = code !== 0
        // An error for several addresses has only a code.
        const why = error?.message || (error !== undefined && 'code' in error ? error.code : code)
        if (failed && !isFailing) logger.warn({ why }, 'spans are lost')
        if (!failed && isFailing) logger.info({}, 'spans are sent again')
        isFailing = failed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

async function createExporter(
  config: TracingConfig,
  loaders: TracingLoaders,
): Promise<SpanExporter> {
  const { client_type, tls_config, http_headers, compression, timeout } = config
  const isHttp = client_type === 'http'
  const common = {
    url: urlOf(config),
    ...(timeout === 0 ? {} : { timeoutMillis: timeout }),
  }
  if (!isHttp) {
    if (tls_config !== undefined || http_headers.size > 0) {
      throw new Error('http_headers and tls_config need client_type: http')
    }
    const grpc = await needed('@opentelemetry/exporter-trace-otlp-grpc', loaders.grpc)
    type Options = NonNullable<ConstructorParameters<typeof grpc.OTLPTraceExporter>[0]>
    return new grpc.OTLPTraceExporter({
      ...common,
      ...(compression === '' ? {} : { compression: compression as Options['compression'] & {} }),
    })
  }
  const http = await needed('@opentelemetry/exporter-trace-otlp-proto', loaders.http)
  type Options = NonNullable<ConstructorParameters<typeof http.OTLPTraceExporter>[0]>
  const headers = Array.from(http_headers, ([name, value]) => [name, value.reveal()] as const)
  return new http.OTLPTraceExporter({
    ...common,
    headers: Object.fromEntries(headers),
    ...(compression === '' ? {} : { compression: compression as Options['compression'] & {} }),
    ...(tls_config === undefined
      ? {}
      : { httpAgentOptions: await readTlsOptions(tls_config, (path) => readFile(path, 'utf8')) }),
  })
}

/** Alertmanager takes a host and a port; a URL with a scheme is taken as it is. */
function urlOf({ client_type, endpoint, insecure }: TracingConfig): string {
  if (/^https?:\/\//i.test(endpoint)) return endpoint
  const origin = `${insecure ? 'http' : 'https'}://${endpoint}`
  return client_type === 'http' ? `${origin}/v1/traces` : origin
}

async function needed<T>(name: string, load: () => Promise<T>): Promise<T> {
  const found = await loadIfInstalled(name, load)
  if (found !== undefined) return found
  throw new Error(`it needs the package "${name}", which is not installed: npm install ${name}`)
}
