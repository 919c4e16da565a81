import type { ConfigProblem } from '../../document/config-problem.ts'
import type { AlertsConfigSource } from './config-input.ts'

/** What is shown in place of a secret, in the API and in the console. */
const mask = '<secret>'
const comment = /(?:^|\s)#.*$/

/**
 * Finds masks in `alertmanager.yml`. It is valid, as in Alertmanager, but a file saved from what `/status` or the console shows has
 * lost the secrets, and every notification that needs one would fail.
 *
 * @returns one problem for each line with a mask; `file` is set for those of parts.
 * @example
 * import { readFile } from 'node:fs/promises'
 * const text = await readFile('alertmanager.yml', 'utf8')
 * for (const line of formatConfigProblems('alertmanager.yml', maskedSecrets({ text }))) console.warn(line)
 */
export function maskedSecrets({
  text,
  parts = [],
}: Pick<AlertsConfigSource, 'text' | 'parts'>): readonly ConfigProblem[] {
  return [{ text }, ...parts].flatMap((file) =>
    String(file.text)
      .split('\n')
      .flatMap((line, index) => {
        const at = line.replace(comment, '').indexOf(mask)
        if (at < 0) return []
        const why = 'stands in place of a secret: write the secret itself, or a reference to it'
        const problem = { path: '', line: index + 1, column: at + 1, message: `${mask} ${why}` }
        return ['filename' in file ? { ...problem, file: file.filename } : problem]
      }),
  )
}
