import { Argument, Command } from 'commander'
import { runCommand } from '../run-command.ts'
import { completionScripts, type Shell, shells } from './completion-scripts.ts'

/** `gatehouse completion`: a script that completes commands and flags in a shell. */
export function completionCommand(load: () => Promise<readonly Command[]>): Command {
  return new Command('completion')
    .description(
      'Print a script that completes commands and flags.\nUse it: eval "$(gatehouse completion bash)", or gatehouse completion fish | source',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action((shell: Shell) =>
      runCommand(async () => {
        process.stdout.write(completionScripts[shell](await load()))
        return 0
      }),
    )
}
