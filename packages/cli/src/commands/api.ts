import { Command } from 'commander'
import { serveApi } from '../api/serve-api.ts'
import { type ApiFlags, addApiFlags } from '../flags/api-flags.ts'
import { runCommand } from '../run-command.ts'

/** `gatehouse api`: serves every service that a file names. */
export function apiCommand(): Command {
  const command = new Command('api').description(
    'Serve the webhooks, the alerts and the sign-in of a file, from one storage.',
  )
  return addApiFlags(command).action(() => runCommand(() => serveApi(command.opts<ApiFlags>())))
}
