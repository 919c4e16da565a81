import { lineIn, removeAbandoned } from '../pipes/abandoned-folders.ts'
import { makeFolder, remove } from '../pipes/files.ts'
import { makePipes } from '../pipes/make-pipes.ts'
import { openStatusLine, type StatusLine } from '../pipes/status-line.ts'
import { runQuietly } from '../spawn/spawn-command.ts'

/** What the launchers of one runner have in common. */
export interface Workshop {
  /** Private; for the pipes of launchers. */
  readonly folder: string
  /** What they say how commands ended on. */
  readonly line: StatusLine
  /** The path of a pipe through which a launcher can be told things; `undefined` if all are in use. */
  takeInlet(): string | undefined
  /** The pipe is free again: nobody has it open. */
  returnInlet(path: string): void
  close(): void
}

/** Options of {@link openWorkshop}. */
export interface WorkshopOptions {
  readonly shell: string
  /** Folders that may take the one with the pipes, the best first. */
  readonly parents: readonly string[]
  /** How many launchers there are at most. */
  readonly size: number
}

/**
 * Makes a folder with pipes; `undefined` where that cannot be done. Removes such folders of processes that were killed while they
 * had no launcher to do it.
 */
export async function openWorkshop(options: WorkshopOptions): Promise<Workshop | undefined> {
  for (const parent of options.parents) await removeAbandoned(parent)
  const folder = makeFolder(options.parents)
  if (folder === undefined) return undefined
  const inlets = Array.from({ length: options.size }, (_, i) => `${folder}/${i}.inlet`)
  try {
    if (await makePipes(inlets, runQuietly, options.shell)) {
      const line = await openStatusLine(lineIn(folder))
      return {
        folder,
        line,
        takeInlet: () => inlets.pop(),
        returnInlet: (path) => void inlets.push(path),
        close() {
          line.close()
          remove(folder)
        },
      }
    }
  } catch {
    // A system without sockets or pipes in folders, or without a descriptor to spare, has no launchers.
  }
  remove(folder)
  return undefined
}
