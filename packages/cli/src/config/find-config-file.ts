import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Refused } from './failure.ts'

/** What a configuration file is called where none is named; the first that is there counts. */
const configFileNames = ['config.yaml', 'config.yml', 'config.json'] as const

/** A configuration file, and what lies beside it under another of the names. */
export interface FoundConfigFile {
  readonly path: string
  /** Files that would have been taken in its place. */
  readonly ignored: readonly string[]
}

/**
 * The configuration file of the first folder that has one.
 *
 * @throws {Refused} if none has, with a line for each folder that was looked into.
 */
export async function findConfigFile(folders: readonly string[]): Promise<FoundConfigFile> {
  const tried = [...new Set(folders)]
  for (const folder of tried) {
    const [path, ...ignored] = await filesIn(folder)
    if (path !== undefined) return { path, ignored }
  }
  const names = configFileNames.join(', ')
  throw new Refused([
    ...tried.map((folder) => `${folder}: there is none of ${names}`),
    'there is no configuration file: name one with --config FILE',
  ])
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const paths = configFileNames.map((name) => join(folder, name))
  const areFiles = await Promise.all(paths.map(isFile))
  return paths.filter((_, index) => areFiles[index])
}

/** What cannot be looked at is not there; a file that is there and cannot be read is found, so that this is said. */
async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
