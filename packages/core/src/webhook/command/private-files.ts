import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { FileContent } from './value-files.ts'

/** Files that only the user of this process can read. */
export interface PrivateFiles {
  /** The path of each file, by its variable. */
  readonly env: Readonly<Record<string, string>>
  /** Removes the files. */
  remove(): Promise<void>
}

/** Options of {@link writePrivateFiles}. */
export interface PrivateFilesOptions {
  /** The working directory of the command: files must not be inside of it. */
  readonly workdir: string
  /** Candidate folders, the best first. The next one is used if the previous one fails. */
  readonly folders: readonly string[]
}

const isInside = (folder: string, outer: string): boolean =>
  folder === outer || folder.startsWith(outer.endsWith('/') ? outer : `${outer}/`)

/**
 * Writes each content to its own file, in a new folder.
 *
 * @throws the error of the last folder that was tried.
 */
export async function writePrivateFiles(
  files: readonly FileContent[],
  { workdir, folders }: PrivateFilesOptions,
): Promise<PrivateFiles> {
  const outside = folders.filter((folder) => !isInside(folder, workdir))
  let problem: unknown
  // A working directory above all candidates has no outside to use.
  for (const folder of outside.length > 0 ? outside : folders) {
    try {
      return await writeInto(folder, files)
    } catch (error) {
      problem = error
    }
  }
  throw problem
}

async function writeInto(folder: string, files: readonly FileContent[]): Promise<PrivateFiles> {
  const own = await mkdtemp(`${folder.replace(/\/+$/, '')}/gatehouse-`) // mode 0700
  const remove = (): Promise<void> => rm(own, { recursive: true, force: true })
  try {
    const env: Record<string, string> = {}
    for (const [index, { env: name, bytes }] of files.entries()) {
      const path = `${own}/${index}`
      await writeFile(path, bytes, { mode: 0o600, flag: 'wx' })
      env[name] = path
    }
    return { env, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
