import { chmodSync, existsSync, linkSync, rmSync, statSync } from 'node:fs'
import { emptyFile, logWithoutFile } from './errors.ts'

/** Options of {@link createFileOnce}. */
export interface CreateFileOptions {
  /** Permissions of a file that is made (default: as the process makes all files). */
  mode: number | undefined
  /** Makes a complete database at a path. */
  make: (filename: string) => void
}

/** File systems without hard links answer one of these. SQLite makes the file itself there. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/**
 * Makes the database file if it is missing. It appears as a whole under its name, so an empty file is never one of ours that
 * another process is about to fill.
 *
 * @throws {GatehouseError} `StorageCorrupt` if the file is empty, or missing although its write-ahead log is there.
 */
export function createFileOnce(filename: string, { mode, make }: CreateFileOptions): void {
  if (filename === ':memory:' || filename === '') return
  // Looked for before the file: whoever makes the file makes the log later.
  const hasLog = sizeOf(`${filename}-wal`) !== undefined
  const size = sizeOf(filename)
  const file = JSON.stringify(filename)
  if (size === 0) throw emptyFile(file)
  if (size !== undefined) return
  if (hasLog) throw logWithoutFile(file)
  const draft = `${filename}.${crypto.randomUUID()}`
  try {
    make(draft)
    if (mode !== undefined) chmodSync(draft, mode)
    publish(draft, filename)
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(draft + suffix, { force: true })
  }
}

function publish(draft: string, filename: string): void {
  try {
    linkSync(draft, filename)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    // Another process was faster, and its file is as good.
    if (code === 'EEXIST' && existsSync(filename)) return
    if (!withoutLinks.has(code)) throw error
  }
}

/** The size of a regular file; `undefined` if there is none, -1 if something else is in its place. */
function sizeOf(filename: string): number | undefined {
  const found = statSync(filename, { throwIfNoEntry: false })
  if (found === undefined) return undefined
  return found.isFile() ? found.size : -1
}
