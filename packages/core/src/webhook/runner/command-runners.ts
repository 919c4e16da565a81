import type { Executor } from '../webhook.ts'
import type { CommandRunner } from './command.ts'

/** The runners for the kinds of `executor`. */
export interface CommandRunners {
  of(executor: Executor): CommandRunner
  /** Releases what they hold besides running commands. */
  close(): Promise<void>
}

/** Options of {@link createCommandRunners}. */
export interface CommandRunnersOptions {
  /** Starts a process for each command. */
  readonly direct: () => CommandRunner
  /** Starts commands through launchers, and through `direct` if they cannot. */
  readonly launcher: (direct: CommandRunner) => CommandRunner
}

/** Creates {@link CommandRunners}. Each runner is created on first use. */
export function createCommandRunners(options: CommandRunnersOptions): CommandRunners {
  let direct: CommandRunner | undefined
  let launcher: CommandRunner | undefined

  return {
    of(executor) {
      direct ??= options.direct()
      if (executor === 'direct') return direct
      launcher ??= options.launcher(direct)
      return launcher
    },

    async close() {
      await launcher?.close()
      if (direct !== launcher) await direct?.close()
    },
  }
}
