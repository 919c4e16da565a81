import { readFileSync } from 'node:fs'
import { createMetricsRegistry, whoAmI } from '@gatehouse/core/adapter'
import {
  type CloseOptions,
  closeWebhooks,
  createWebhooks,
  type LoadedWebhooksConfig,
  reloadWebhooksConfig,
  startWebhooks,
  type WebhooksContext,
} from '@gatehouse/core/webhook'
import type { PreparedService, Service } from '../service.ts'

/** Options of {@link prepareWebhooks}. */
export interface PrepareWebhooksOptions {
  readonly config: LoadedWebhooksConfig
  /** Reads the configuration again. */
  readonly reload: () => Promise<LoadedWebhooksConfig>
  /** Whether other services also export the metrics. */
  readonly sharesMetrics: boolean
  /** How long runs may continue when the server stops, in ms. */
  readonly graceMs: () => number
  /** Called with the service once it is there. */
  readonly onCreated: (webhooks: WebhooksContext) => void
}

/** Prepares the webhook service of a server that is about to start. */
export function prepareWebhooks(given: PrepareWebhooksOptions): PreparedService {
  const { config, reload, sharesMetrics, graceMs, onCreated } = given
  return {
    create({ storage, logger, metrics, health, authorize, tracer }) {
      const webhooks = createWebhooks({
        storage,
        logger,
        health,
        metrics: sharesMetrics ? metrics : createMetricsRegistry(),
        config: () => config,
        reload: async () => {
          const read = await reload()
          return () => read
        },
        ...(authorize === undefined ? {} : { authorize }),
        ...(tracer === undefined ? {} : { tracer }),
        environment: { ...process.env },
        readFile: (path) => readFileSync(path, 'utf8'),
        workdir: process.cwd(),
      })
      onCreated(webhooks)
      return serviceOf(webhooks, graceMs)
    },
  }
}

/** Ends every command at once. */
const atOnce: CloseOptions = { graceMs: 0, killGraceMs: 0 }

function serviceOf(webhooks: WebhooksContext, graceMs: () => number): Service {
  const { routes, fallbackRoutes, openApi } = webhooks
  const { webhooks: definitions, base_path: basePath } = webhooks.config.current
  return {
    name: 'webhooks',
    routes,
    fallbackRoutes,
    openApi,
    whoAmI: (caller) => whoAmI(webhooks, caller),
    summary: { path: `${basePath}/webhook`, webhooks: definitions.length },
    // The command has logged the same warnings, with their places in its file.
    start: () => startWebhooks(webhooks, { warnings: false }),
    drain: () => closeWebhooks(webhooks, { graceMs: graceMs() }),
    abort: () => closeWebhooks(webhooks, atOnce),
    reload: () => reloadWebhooksConfig(webhooks),
  }
}
