import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileProblem } from '../config/config-file.ts'
import { makeFolder } from '../make-folder.ts'
import type { NewFile } from './config-files.ts'

/** Options of {@link writeFiles}. */
export interface WriteOptions {
  /** Whether files may be replaced. A generated secret never is: what it encrypted would be lost. */
  readonly force: boolean
}

/**
 * Writes the files into a folder. New ones are readable by their owner only. If one cannot be written, the new ones before it are
 * removed.
 *
 * @throws {Error} if a file exists and may not be replaced, before anything is written; or if one cannot be written.
 */
export function writeFiles(
  folder: string,
  files: readonly NewFile[],
  { force }: WriteOptions,
): void {
  if (!force) refuseExisting(folder, files)
  const written: string[] = []
  for (const { path, text, isGenerated = false } of files) {
    const file = join(folder, path)
    const isThere = existsSync(file)
    if (isThere && isGenerated) continue
    try {
      makeFolder(dirname(file), 0o700)
      writeFileSync(file, text, { mode: 0o600, flag: force ? 'w' : 'wx' })
    } catch (error) {
      for (const one of written) rmSync(one, { force: true })
      throw new Error(`${file}: ${fileProblem(error)}`, { cause: error })
    }
    if (!isThere) written.push(file)
  }
}

/** @throws {Error} which names the files that exist. */
export function refuseExisting(folder: string, files: readonly Pick<NewFile, 'path'>[]): void {
  const existing = files.map(({ path }) => join(folder, path)).filter((file) => existsSync(file))
  if (existing.length === 0) return
  const are = existing.length === 1 ? 'exists' : 'exist'
  throw new Error(`${existing.join(', ')} ${are}: replace with --force, or name another folder`)
}
