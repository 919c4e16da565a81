import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { FileContent } from './value-files.ts'

/** Files that only the user of this process can read. */
export interface PrivateFiles {
  /** The path of each file by the variable that names it. */
  readonly env: Readonly<Record<string, string>>
  /** Removes them. */
  remove(): Promise<void>
}

/** Options of {@link writePrivateFiles}. */
export interface PrivateFilesOptions {
  /** Where the files must not be: the folder the command works in. */
  readonly workdir: string
  /** Folders they may be put into, the best first; the next is for where the one before cannot be used. */
  readonly folders: readonly string[]
}

const isInside = (folder: string, outer: string): boolean =>
  folder === outer || folder.startsWith(outer.endsWith('/') ? outer : `${outer}/`)

/**
 * Writes each content to a file of its own, in a new folder.
 *
 * @throws the error of the last folder that was tried.
 */
export async function writePrivateFiles(
  files: readonly FileContent[],
  { workdir, folders }: PrivateFilesOptions,
): Promise<PrivateFiles> {
  const outside = folders.filter((folder) => !isInside(folder, workdir))
  let problem: unknown
  // A command that works in a folder above all of them has no outside to speak of.
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
