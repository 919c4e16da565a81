import { lstat, readdir } from 'node:fs/promises'
import { isAbsolute, join, sep } from 'node:path'
import { compareBytes } from '@gatehouse/core/store'
import { type GlobPattern, parseGlobPattern } from './glob-pattern.ts'

/** The special characters of a glob. */
const special = /[*?[\\]/

/** Whether a path is a pattern for several files. */
export const isGlob = (path: string): boolean => special.test(path)

/**
 * The files that match a glob, by name. Part by part from the root: only a part with a pattern needs its folder listed.
 *
 * @throws {Error} if it is not valid.
 */
export async function findFiles(glob: string): Promise<readonly string[]> {
  if (glob === '') return []
  let found: readonly string[] = [isAbsolute(glob) ? sep : '.']
  for (const part of partsOf(glob)) {
    if (typeof part === 'string') {
      found = found.map((folder) => join(folder, part))
    } else {
      found = (await Promise.all(found.map((folder) => entriesOf(folder, part)))).flat()
    }
  }
  return existing(found)
}

function partsOf(glob: string): readonly (string | GlobPattern)[] {
  const parts = glob.split(sep).filter((part) => part !== '')
  try {
    return parts.map((part) => (special.test(part) ? parseGlobPattern(part) : part))
  } catch (error) {
    throw new Error(`${glob}: ${(error as Error).message}`, { cause: error })
  }
}

async function entriesOf(folder: string, pattern: GlobPattern): Promise<readonly string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => pattern.matches(name))
    return names.sort(compareBytes).map((name) => join(folder, name))
  } catch {
    return [] // a folder that cannot be listed has no matches
  }
}

async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const stats = await Promise.allSettled(paths.map((path) => lstat(path)))
  return paths.filter((_, index) => stats[index]?.status === 'fulfilled')
}
