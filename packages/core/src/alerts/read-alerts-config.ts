import { type AlertsConfig, loadAlertsConfig } from './config.ts'
import type { AlertsConfigSource } from './context.ts'
import type { MatcherMode } from './matcher-syntax.ts'

/** The text of a configuration, whichever way it is given. */
export function configText(source: string | AlertsConfigSource): string {
  return typeof source === 'string' ? source : source.text
}

/**
 * Reads a configuration as the service would.
 *
 * @throws {GatehouseError} `InvalidConfig`, with every problem in `info.problems`.
 */
export function readAlertsConfig(
  source: string | AlertsConfigSource,
  matcherMode: MatcherMode,
): AlertsConfig {
  const { text, directory, filename, templateFiles } =
    typeof source === 'string' ? { text: source } : source
  return loadAlertsConfig(text, {
    matcherMode,
    ...(directory === undefined ? {} : { directory }),
    ...(filename === undefined ? {} : { filename }),
    ...(templateFiles === undefined ? {} : { templateFiles }),
  })
}
