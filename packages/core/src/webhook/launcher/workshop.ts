import type { CommandRunner } from '../command.ts'
import { isOurs, makeFolder, namesIn, remove } from './files.ts'
import { isAbandoned, openStatusLine, type StatusLine } from './status-line.ts'

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
  /** Starts what makes the pipes. */
  readonly spawn: CommandRunner
  readonly shell: string
  /** Folders that may take the one with the pipes, the best first. */
  readonly parents: readonly string[]
  /** How many launchers there are at most. */
  readonly size: number
}

const lineIn = (folder: string): string => `${folder}/line`

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
    if (await makePipes(inlets, options)) {
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

async function removeAbandoned(parent: string): Promise<void> {
  for (const name of namesIn(parent)) {
    const folder = `${parent}/${name}`
    if (isOurs(name) && (await isAbandoned(lineIn(folder)))) remove(folder)
  }
}

async function makePipes(
  paths: readonly string[],
  { spawn, shell }: WorkshopOptions,
): Promise<boolean> {
  const started = await spawn.start({
    program: shell,
    args: ['-c', 'exec mkfifo -m 600 "$@"', 'gatehouse', ...paths],
    workdir: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdin: undefined,
    outputBytes: 0,
    outputKeep: 'head',
    killLeftovers: false,
    live: false,
  })
  return 'running' in started && (await started.running.ended).exitCode === 0
}
