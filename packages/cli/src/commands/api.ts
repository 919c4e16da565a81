import { Command } from 'commander'
import { serveApi } from '../api/serve-api.ts'
import { type ApiFlags, addApiFlags } from '../flags/api-flags.ts'
import { runCommand } from '../run-command.ts'

/** `gatehouse api`: runs all services that a file configures. */
export function apiCommand(): Command {
  const command = new Command('api').description(
    'Run the webhooks, the alerts and the sign-in that a file configures, over one storage.',
  )
  return addApiFlags(command).action(() => runCommand(() => serveApi(command.opts<ApiFlags>())))
}
