import { formatConfigProblems } from '../../document/config-problem.ts'
import type { MatcherMode } from '../matcher/matcher-syntax.ts'
import type { AlertsConfigSource } from './config-input.ts'
import { literalReferences } from './literal-references.ts'
import { maskedSecrets } from './masked-secrets.ts'

/**
 * Probable mistakes in an `alertmanager.yml` that is valid, one line each. {@link createAlerts} and {@link updateAlertsConfig} log them.
 *
 * @throws {GatehouseError} `InvalidConfig`
 */
export function alertsConfigWarnings(
  source: AlertsConfigSource,
  matcherMode?: MatcherMode,
): readonly string[] {
  const { filename = 'alertmanager.yml' } = source
  return [
    ...literalReferences(source, matcherMode),
    ...formatConfigProblems(filename, maskedSecrets(source)),
  ]
}
