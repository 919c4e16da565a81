import type { AlertsConfigSource, ConfigReferences } from '@gatehouse/core/alerts'
import { readTextFile } from './config-file.ts'
import { createReadFiles, type ReadFiles } from './read-files.ts'

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
