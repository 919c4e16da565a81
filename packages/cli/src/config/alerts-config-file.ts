import { resolve } from 'node:path'
import type { AlertsConfigPart, AlertsConfigSource, ConfigReferences } from '@gatehouse/core/alerts'
import { readTextFile } from './config-file.ts'
import { createReadFiles, pathsOf, type ReadFiles } from './read-files.ts'

/** References in `alertmanager.yml` read the variables of this process and files, which are recorded as parts of the configuration. */
export const referencesTo = (files: ReadFiles): ConfigReferences => ({
  environment: process.env,
  readFile: files.readTextNow,
})

/**
 * Reads an `alertmanager.yml`.
 *
 * @throws {Error} if it cannot be read.
 */
export async function readAlertsConfigFile(
  filename: string,
  files: ReadFiles = createReadFiles(),
): Promise<AlertsConfigSource> {
  return { ...(await readTextFile(filename, files)), references: referencesTo(files) }
}

/** Files that are merged into a configuration. */
export interface ConfigParts {
  /** Paths, or patterns that may match nothing. */
  readonly files: readonly string[]
  readonly matchers: readonly string[]
}

/**
 * Reads the parts of a configuration, in their order.
 *
 * @param directory where relative paths start.
 * @throws {Error} if a file cannot be read or a pattern is not valid.
 */
export async function readConfigParts(
  parts: readonly ConfigParts[],
  directory: string,
  files: ReadFiles,
): Promise<readonly AlertsConfigPart[]> {
  const found: AlertsConfigPart[] = []
  for (const { files: named, matchers } of parts) {
    const paths = named.map((one) => resolve(directory, one))
    for (const filename of await pathsOf(paths, files)) {
      found.push({ ...(await readTextFile(filename, files)), matchers })
    }
  }
  return found
}
