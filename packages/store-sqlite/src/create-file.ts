import { chmodSync, existsSync, linkSync, rmSync, statSync } from 'node:fs'
import { emptyFile, logWithoutFile } from './errors.ts'

/** Options of {@link createFileOnce}. */
export interface CreateFileOptions {
  /** File permissions (default: the umask of the process decides). */
  mode: number | undefined
  /** Creates a complete database at a path. */
  make: (filename: string) => void
}

/** Error codes of file systems without hard links. There SQLite itself creates the file. */
const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/**
 * Creates the database file if it is missing. It appears under its name only when complete, so an empty file is never a database
 * that another process is about to fill.
 *
 * @throws {GatehouseError} `StorageCorrupt` if the file is empty, or if it is missing but its write-ahead log exists.
 */
export function createFileOnce(filename: string, { mode, make }: CreateFileOptions): void {
  if (filename === ':memory:' || filename === '') return
  // Check for the log before the file: a new database gets its log after its file. An empty one holds no commit.
  const hasLog = (sizeOf(`${filename}-wal`) ?? 0) !== 0
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
    // Another process was faster, and its file will do.
    if (code === 'EEXIST' && existsSync(filename)) return
    if (!withoutLinks.has(code)) throw error
  }
}

/** The size of a regular file; `undefined` if it is missing, -1 if it is not a regular file. */
function sizeOf(filename: string): number | undefined {
  const found = statSync(filename, { throwIfNoEntry: false })
  if (found === undefined) return undefined
  return found.isFile() ? found.size : -1
}
