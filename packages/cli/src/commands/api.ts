import { Command } from 'commander'
import { cannotServe } from '../config/exit-codes.ts'
import { type ApiFlags, addApiFlags } from '../flags/api-flags.ts'
import { runCommand } from '../run-command.ts'
import { serveWithWorkers } from '../workers/serve-with-workers.ts'

/** `gatehouse api`: runs all services that a file configures. */
export function apiCommand(): Command {
  const command = new Command('api').description(
    'Run the webhooks, the alerts and the sign-in that a file configures, over one storage.',
  )
  return addApiFlags(command).action(() => {
    const flags = command.opts<ApiFlags>()
    return runCommand(
      () =>
        serveWithWorkers(flags.workers ?? 1, async (serving) => {
          const { serveApi } = await import('../api/serve-api.ts')
          return serveApi(flags, serving)
        }),
      cannotServe,
    )
  })
}
