import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Refused } from './failure.ts'

/** The default names of a configuration file, in order of preference. */
const configFileNames = ['config.yaml', 'config.yml', 'config.json'] as const

/** A configuration file, and the ignored ones next to it. */
export interface FoundConfigFile {
  readonly path: string
  /** Files with a less preferred name. */
  readonly ignored: readonly string[]
}

/**
 * The configuration file of the first folder that has one.
 *
 * @throws {Refused} if none has one, with a line for each folder.
 */
export async function findConfigFile(folders: readonly string[]): Promise<FoundConfigFile> {
  const tried = [...new Set(folders)]
  for (const folder of tried) {
    const [path, ...ignored] = await filesIn(folder)
    if (path !== undefined) return { path, ignored }
  }
  const names = configFileNames.join(', ')
  throw new Refused([
    'there is no configuration file: name one with --config FILE',
    ...tried.map((folder) => `${folder}: has none of ${names}`),
  ])
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const paths = configFileNames.map((name) => join(folder, name))
  const areFiles = await Promise.all(paths.map(isFile))
  return paths.filter((_, index) => areFiles[index])
}

/** A path that cannot be examined counts as missing; an unreadable file counts as found, so that its error is reported. */
async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
