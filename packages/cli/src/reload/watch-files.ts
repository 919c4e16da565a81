import { type FSWatcher, watch } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Clock, type Logger, type Running, systemClock } from '@gatehouse/core'
import { digestOf } from '../config/read-files.ts'

/** Options of {@link watchFiles}. */
export interface WatchFilesOptions {
  /** Called when a file holds something else than it did. A file that has vanished has not changed. */
  onChange: () => void
  logger: Logger
  clock?: Clock
}

/** Files that are watched. */
export interface FileWatch extends Running {
  /** Watches these from now on: for each the digest of what was read of it. */
  follow(digests: ReadonlyMap<string, string>): void
}

/** What is written together is looked at together. */
const gatherMs = 100
/** For file systems that tell of nothing. */
const lookAgainMs = 5_000

/**
 * Tells when a file has another content. Folders are watched and not files, and contents compared and not events: so a
 * file may be replaced by renaming, by an editor, or by a link above it that points elsewhere.
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

  /** @param names whether something was told of one of the files, and not of others beside them. */
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
      // A database beside a configuration is written all the time: that is no reason to read the configuration.
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        gather(name === null || files.has(join(folder, name)))
      })
      // A folder that cannot be watched any more is looked at from time to time.
      watcher.once('error', () => unwatch(folder))
      folders.set(folder, watcher)
    } catch (error) {
      logger.debug(
        { folder, error },
        'a folder cannot be watched: it is looked at from time to time',
      )
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
        if (file === undefined) files.set(path, { path, digest, mark: '', isThere: true })
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
  /** What the file system said of it when it was read last. */
  mark: string
  isThere: boolean
}

async function isTouched(file: WatchedFile): Promise<boolean> {
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

/** Whether a file holds something else than it did when this was asked before. */
async function hasChanged(file: WatchedFile, logger: Logger): Promise<boolean> {
  // Before the content: what is written in between is seen the next time.
  const mark = await markOf(file.path)
  const content = await readFile(file.path).catch(() => undefined)
  if ((content !== undefined) !== file.isThere) {
    file.isThere = content !== undefined
    if (!file.isThere) logger.warn({ file: file.path }, 'the file is gone: nothing changes')
  }
  if (content === undefined || mark === undefined) return false
  file.mark = mark
  const digest = digestOf(content)
  if (digest === file.digest) return false
  file.digest = digest
  return true
}
