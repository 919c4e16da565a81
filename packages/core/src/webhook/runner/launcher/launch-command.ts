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
  /** Runs what launchers cannot. It is not closed with this one. */
  spawn: CommandRunner
  /** The shell that launchers are (default `/bin/sh`). One that changes what commands are given is not used. */
  shell?: string
  /** Where the private folder with the pipes of launchers is made (default `/dev/shm`, else `/tmp`). */
  folder?: string
  /** How many launchers there are at most (default 32). Commands beyond that are run by `spawn`. */
  size?: number
  /** How many commands a launcher runs before it begins anew as a fresh shell (default 1,000). */
  maxRuns?: number
  /** How long a launcher is kept that has no command, in ms (default 60,000). */
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
 * A runner that keeps small shells to start commands: what that costs depends neither on the memory of this process nor does it
 * stop its event loop. Commands that are live, read something, or hold more than lines of text are run by `spawn`, as are all where
 * there is no such shell or no `/proc`. Results are the same.
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
      // Not to wait is what makes it quick.
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

/** Starts the first launcher; `undefined` where launchers are of no use. */
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
