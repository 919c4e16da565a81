import { lineIn, removeAbandoned } from '../pipes/abandoned-folders.ts'
import { makeFolder, remove } from '../pipes/files.ts'
import { makePipes } from '../pipes/make-pipes.ts'
import { openStatusLine, type StatusLine } from '../pipes/status-line.ts'
import { runQuietly } from '../spawn/spawn-command.ts'

/** Resources that the launchers of one runner share. */
export interface Workshop {
  /** Private; contains the pipes of launchers. */
  readonly folder: string
  /** Where launchers report how commands ended. */
  readonly line: StatusLine
  /** The path of a pipe for the input of a launcher; `undefined` if all are in use. */
  takeInlet(): string | undefined
  /** Returns a pipe that no process has open. */
  returnInlet(path: string): void
  close(): void
}

/** Options of {@link openWorkshop}. */
export interface WorkshopOptions {
  readonly shell: string
  /** Candidate parents of the folder with the pipes, the best first. */
  readonly parents: readonly string[]
  /** The maximum number of launchers. */
  readonly size: number
}

/**
 * Creates a folder with pipes; `undefined` if that fails. Removes such folders of processes that were killed without a launcher
 * to do it.
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
    // Without sockets or pipes in folders, or without a free descriptor, there are no launchers.
  }
  remove(folder)
  return undefined
}
