import type { Executor } from '../webhook.ts'
import type { CommandRunner } from './command.ts'

/** What runs commands, by the kind a webhook asks for. */
export interface CommandRunners {
  of(executor: Executor): CommandRunner
  /** Ends what they hold beside running commands. */
  close(): Promise<void>
}

/** Options of {@link createCommandRunners}. */
export interface CommandRunnersOptions {
  /** Starts a process for each command. */
  readonly direct: () => CommandRunner
  /** Lets processes that are there already start commands, by `direct` where they cannot. */
  readonly launcher: (direct: CommandRunner) => CommandRunner
}

/** {@link CommandRunners} that are made when they are first asked for. */
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
