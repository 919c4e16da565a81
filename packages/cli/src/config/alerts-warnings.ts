import { type AlertsConfigSource, type MatcherMode, maskedSecrets } from '@gatehouse/core/alerts'
import { formatConfigProblems } from '@gatehouse/core/config'
import { literalReferences } from './literal-references.ts'

/**
 * Probable mistakes in an `alertmanager.yml` that is valid, one line each.
 *
 * @throws {GatehouseError} `InvalidConfig`
 */
export function alertsWarnings(
  source: AlertsConfigSource,
  matcherMode?: MatcherMode,
): readonly string[] {
  const { filename = 'alertmanager.yml' } = source
  return [
    ...literalReferences(source, matcherMode),
    ...formatConfigProblems(filename, maskedSecrets(source)),
  ]
}
