import type { MatcherMode } from '../matcher/matcher-syntax.ts'
import { loadAlertsConfig } from './config.ts'
import type { AlertsConfigSource } from './config-input.ts'

const reference = /(?<!\$)\$\{(?:env|file|cred):[^{}]*\}/
const comment = /(?:^|\s)#.*$/

/**
 * Warns of references in fields of `alertmanager.yml` that do not resolve them, such as user names: there they are ordinary text.
 *
 * @throws {GatehouseError} `InvalidConfig`
 */
export function literalReferences(
  source: AlertsConfigSource,
  matcherMode?: MatcherMode,
): readonly string[] {
  const { text, parts = [], filename = 'alertmanager.yml', ...place } = source
  const files = [{ filename, text }, ...parts]
  if (!files.some((file) => reference.test(String(file.text)))) return []
  const { source: shown } = loadAlertsConfig(text, {
    ...place,
    filename,
    parts,
    references: 'unresolved',
    ...(matcherMode && { matcherMode }),
  })
  // It masks resolved references, so a line that it shows as written has none.
  const shownLines = new Set(shown.split('\n'))
  return files.flatMap((file) =>
    String(file.text)
      .split('\n')
      .flatMap((line, index) => {
        const [written] = reference.exec(line.replace(comment, '')) ?? []
        if (written === undefined || !shownLines.has(line)) return []
        const why = 'is ordinary text here: only secrets and URLs may be references'
        return [`${file.filename}:${index + 1}:${line.indexOf(written) + 1}: ${written} ${why}`]
      }),
  )
}
