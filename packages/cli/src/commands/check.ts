import { Command } from 'commander'
import { servesWebhooks } from '../api/api-config.ts'
import { commandWarnings, configWarnings } from '../api/config-warnings.ts'
import { type LoadedApi, loadApi } from '../api/load-api.ts'
import { chooseConfigFile, ignoredFileWarnings } from '../config/choose-config-file.ts'
import { badUsage } from '../config/exit-codes.ts'
import { exitCodeOf } from '../config/failure.ts'
import { createReadFiles } from '../config/read-files.ts'
import { addConfigFlag } from '../flags/api-flags.ts'
import { printFailure, runCommand } from '../run-command.ts'

interface CheckFlags {
  readonly config?: string
  readonly strict?: boolean
}

/** `gatehouse check`: prints every problem of a file of `gatehouse api`, and starts nothing. */
export function checkCommand(): Command {
  const command = new Command('check').description(
    'Check a file of `gatehouse api` and the files it names, and print every problem as FILE:LINE:COLUMN.',
  )
  return addConfigFlag(command)
    .option('--strict', 'also fail if the program or the workdir of a webhook does not exist')
    .action(() => runCommand(() => check(command.opts<CheckFlags>())))
}

async function check({ config, strict = false }: CheckFlags): Promise<number> {
  let loaded: LoadedApi
  try {
    const found = await chooseConfigFile(config)
    for (const warning of ignoredFileWarnings(found)) console.error(`warning: ${warning}`)
    loaded = await loadApi(found.path, createReadFiles())
  } catch (error) {
    printFailure(error)
    return exitCodeOf(error)
  }
  const warnings = [...configWarnings(loaded), ...(await commandWarnings(loaded))]
  for (const { text, isMissing } of warnings) {
    console.error(strict && isMissing ? text : `warning: ${text}`)
  }
  if (strict && warnings.some(({ isMissing }) => isMissing)) return badUsage
  console.log(`${loaded.file.filename} is good: ${contentsOf(loaded)}`)
  return 0
}

function contentsOf({ config, alerts, auth }: LoadedApi): string {
  const count = config.webhooks.webhooks.length
  const parts = [
    ...(alerts === undefined ? [] : ['alerts']),
    ...(auth === undefined ? [] : ['auth']),
    ...(servesWebhooks(config) ? [count === 1 ? '1 webhook' : `${count} webhooks`] : []),
  ]
  return new Intl.ListFormat('en-GB').format(parts)
}
