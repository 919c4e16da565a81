import { type FSWatcher, watch } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock, Logger, Running } from '@gatehouse/core'
import { systemClock } from '@gatehouse/core/store'
import { findFiles } from '../config/find-files.ts'
import { digestOf, isListing, listingOf, noDigest } from '../config/read-files.ts'

/** Options of {@link watchFiles}. */
export interface WatchFilesOptions {
  /** Called when the content of a file has changed, or other files match a glob. A missing file counts as unchanged. */
  onChange: () => void
  logger: Logger
  clock?: Clock
}

/** A watch over files. */
export interface FileWatch extends Running {
  /** Watches these files from now on. Each has the digest of its content when it was read. */
  follow(digests: ReadonlyMap<string, string>): void
}

/** Debounces events: files written together are checked together. */
const gatherMs = 100
/** The poll interval, for file systems without events. */
const lookAgainMs = 5_000

/**
 * Calls `onChange` when the content of a file changes. It watches folders, not files, and compares contents, not events, so it
 * notices a file that was replaced by renaming, by an editor, or by a link above it.
 */
export function watchFiles({
  onChange,
  logger,
  clock = systemClock,
}: WatchFilesOptions): FileWatch {
  const files = new Map<string, WatchedFile>()
  const folders = new Map<string, FSWatcher>()
  let gathering: (() => void) | undefined
  let isNamed = false
  let isStopped = false

  /** @param names whether the event may concern one of the files, not just others beside them. */
  const gather = (names: boolean): void => {
    isNamed ||= names
    gathering ??= clock.setTimer(gatherMs, () => {
      gathering = undefined
      void (isNamed ? look([...files.values()]) : lookAtTouched())
      isNamed = false
    })
  }
  const look = async (candidates: readonly WatchedFile[]): Promise<void> => {
    const changes = await Promise.all(candidates.map((file) => hasChanged(file, logger)))
    if (!isStopped && changes.includes(true)) onChange()
  }
  const lookAtTouched = async (): Promise<void> => {
    const all = [...files.values()]
    const touched = await Promise.all(all.map(isTouched))
    await look(all.filter((_, index) => touched[index]))
  }
  const lookAgain = async (): Promise<void> => {
    watchFolders()
    await lookAtTouched()
    if (!isStopped) again = clock.setTimer(lookAgainMs, () => void lookAgain())
  }
  const watchFolders = (): void => {
    const wanted = new Set([...files.keys()].map((path) => dirname(path)))
    for (const folder of folders.keys()) if (!wanted.has(folder)) unwatch(folder)
    for (const folder of wanted) if (!folders.has(folder)) watchFolder(folder)
  }
  const watchFolder = (folder: string): void => {
    try {
      // A database beside a configuration is written all the time, which is not a reason to read the configuration.
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        gather(name === null || files.has(join(folder, name)))
      })
      // A folder that can no longer be watched is polled.
      watcher.once('error', () => unwatch(folder))
      folders.set(folder, watcher)
    } catch (error) {
      logger.debug({ folder, error }, 'a folder cannot be watched: polling it instead')
    }
  }
  const unwatch = (folder: string): void => {
    folders.get(folder)?.close()
    folders.delete(folder)
  }

  let again = clock.setTimer(lookAgainMs, () => void lookAgain())
  return {
    follow(digests) {
      for (const path of files.keys()) if (!digests.has(path)) files.delete(path)
      for (const [path, digest] of digests) {
        const file = files.get(path)
        if (file === undefined)
          files.set(path, { path, digest, mark: '', isThere: digest !== noDigest })
        else file.digest = digest
      }
      watchFolders()
      gather(true)
    },
    async stop() {
      isStopped = true
      gathering?.()
      again()
      for (const folder of [...folders.keys()]) unwatch(folder)
    },
  }
}

interface WatchedFile {
  readonly path: string
  digest: string
  /** The file's metadata when it was last read. */
  mark: string
  isThere: boolean
}

async function isTouched(file: WatchedFile): Promise<boolean> {
  // A list is made faster than folders are compared.
  if (isListing(file.digest)) return true
  const mark = await markOf(file.path)
  return mark !== undefined && mark !== file.mark
}

async function markOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = await stat(path)
    return [dev, ino, size, mtimeMs, ctimeMs].join()
  } catch {
    return undefined
  }
}

/** Whether the content of a file has changed since the last call. */
async function hasChanged(file: WatchedFile, logger: Logger): Promise<boolean> {
  if (isListing(file.digest)) return hasOtherFiles(file)
  // Before the content, so that a write in between is noticed next time.
  const mark = await markOf(file.path)
  const content = await readFile(file.path).catch(() => undefined)
  if ((content !== undefined) !== file.isThere) {
    file.isThere = content !== undefined
    if (!file.isThere) logger.warn({ file: file.path }, 'the file is gone')
  }
  if (content === undefined || mark === undefined) return false
  file.mark = mark
  const digest = digestOf(content)
  if (digest === file.digest) return false
  file.digest = digest
  return true
}

/** Whether other files match a glob since the last call. */
async function hasOtherFiles(file: WatchedFile): Promise<boolean> {
  const digest = listingOf(await findFiles(file.path))
  if (digest === file.digest) return false
  file.digest = digest
  return true
}
