import {
  decodeInput,
  exactly,
  filledText,
  having,
  numberFrom,
  optional,
  wholeFrom,
} from '../../../input/decode.ts'
import type { CommandRunner } from '../command.ts'
import { isExact } from './check-launcher.ts'
import { createLauncherPool, type LauncherPool } from './pool.ts'
import { isLaunchableCommand } from './run-message.ts'
import { createStartablePrograms } from './startable-programs.ts'
import { openWorkshop } from './workshop.ts'

/** Options of {@link createLaunchRunner}. */
export interface LaunchRunnerOptions {
  /** Runs the commands that launchers cannot. Closing this runner does not close it. */
  spawn: CommandRunner
  /** The shell that launchers run (default `/bin/sh`). A shell that changes the environment of commands is not used. */
  shell?: string
  /** The parent of the private folder for the pipes of launchers (default `/dev/shm`, else `/tmp`). */
  folder?: string
  /** The maximum number of launchers (default 32). `spawn` runs commands beyond that. */
  size?: number
  /** How many commands a launcher runs before it restarts as a fresh shell (default 1,000). */
  maxRuns?: number
  /** How long an idle launcher is kept, in ms (default 60,000). */
  idleMs?: number
}

const decodeOptions = exactly<LaunchRunnerOptions>({
  spawn: having<CommandRunner>('a CommandRunner', 'start', 'close'),
  shell: optional(filledText),
  folder: optional(filledText),
  size: optional(wholeFrom(0)),
  maxRuns: optional(wholeFrom(1)),
  idleMs: optional(numberFrom(0)),
})

/**
 * Creates a runner that keeps small shells to start commands. Its cost does not depend on the memory of this process, and
 * starting does not block the event loop. `spawn` runs commands that are live, that have an input, or whose words, variables or
 * paths are not single lines, and all commands if there is no suitable shell or no `/proc`. The results are the same.
 *
 * @throws {GatehouseError} `InvalidInput`
 */
export function createLaunchRunner(given: LaunchRunnerOptions): CommandRunner {
  const options = decodeInput('options', decodeOptions, given)
  const { spawn } = options
  const programs = createStartablePrograms()
  let opening: Promise<LauncherPool | undefined> | undefined
  let pool: LauncherPool | undefined
  let isClosed = false

  const open = async (): Promise<LauncherPool | undefined> => {
    opening ??= openPool(options)
    pool = await opening
    return pool
  }

  return {
    async start(command, listener = {}) {
      if (isClosed) return { problem: 'the runner is closed' }
      const isForLaunchers = isLaunchableCommand(command) && programs.has(command.program)
      // Not awaiting an open pool makes this fast.
      const launchers = isForLaunchers ? (pool ?? (await open())) : undefined
      const taken = launchers?.take()
      const launcher = taken instanceof Promise ? await taken : taken
      if (launchers === undefined || launcher === undefined) return spawn.start(command, listener)
      const free = (): void => launchers.giveBack(launcher)
      const running = launcher.run(command, listener, free)
      if (running !== undefined) return { running }
      free()
      return spawn.start(command, listener)
    },

    async close() {
      isClosed = true
      const launchers = await opening
      await launchers?.close()
    },
  }
}

/** Starts the first launcher; `undefined` if launchers do not work here. */
async function openPool(options: LaunchRunnerOptions): Promise<LauncherPool | undefined> {
  const { shell = '/bin/sh', folder, size = 32, maxRuns = 1_000, idleMs = 60_000 } = options
  const parents = folder === undefined ? ['/dev/shm', '/tmp'] : [folder]
  const workshop = await openWorkshop({ shell, parents, size })
  if (workshop === undefined) return undefined
  const pool = createLauncherPool({ workshop, shell, size, maxRuns, idleMs })
  const launcher = await pool.take()
  const isGood = launcher !== undefined && (await isExact(launcher))
  if (launcher !== undefined) pool.giveBack(launcher)
  if (isGood) return pool
  await pool.close()
  return undefined
}
