import type { AlertsContext, AlertsOptions } from '@gatehouse/core'
import type { AlertsConfigSource } from '@gatehouse/core/alerts'
import { createAlerts } from '@gatehouse/core/alerts'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { readTemplateFiles, withTemplateFiles } from './config/template-files.ts'
import { thisMachine } from './this-machine.ts'

/** Options of {@link alertsInMemory}. */
export interface AlertsInMemoryOptions extends Pick<AlertsOptions, 'externalUrl' | 'logger'> {
  /** Globs of further template files, loaded after those of the configuration. */
  templates?: readonly string[]
}

/**
 * The alert service for a command that makes one call and exits. It stores nothing and starts no background work.
 *
 * @throws {GatehouseError} `InvalidConfig`, `TemplateSyntax`
 * @throws {Error} if a template file cannot be read.
 */
export async function alertsInMemory(
  source: AlertsConfigSource,
  { templates = [], ...options }: AlertsInMemoryOptions = {},
): Promise<AlertsContext> {
  const config = await withTemplateFiles(source)
  const { templateFiles = [] } = config
  return createAlerts({
    ...thisMachine,
    logger: false,
    ...options,
    // It runs nothing, and does not know which webhooks there are.
    webhookRuns: { problemOf: () => undefined, run: async () => undefined },
    storage: createMemoryStorage(),
    config: {
      ...config,
      templateFiles: [...templateFiles, ...(await readTemplateFiles(templates))],
    },
  })
}
