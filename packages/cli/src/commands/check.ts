import { Command } from 'commander'
import type { LoadedApi } from '../api/load-api.ts'
import { chooseConfigFile, ignoredFileWarnings } from '../config/choose-config-file.ts'
import { badUsage } from '../config/exit-codes.ts'
import { exitCodeOf, failureLines } from '../config/failure.ts'
import { createReadFiles } from '../config/read-files.ts'
import { counted } from '../counted.ts'
import { addConfigFlag } from '../flags/api-flags.ts'
import { paint, paintError, paintProblem } from '../log/color.ts'
import { runCommand } from '../run-command.ts'

interface CheckFlags {
  readonly config?: string
  readonly strict?: boolean
  readonly json?: boolean
}

/** `gatehouse check`: prints every problem of a file of `gatehouse api`, and starts nothing. */
export function checkCommand(): Command {
  const command = new Command('check').description(
    'Check a file of `gatehouse api` and the files it names, and print every problem as FILE:LINE:COLUMN.',
  )
  return addConfigFlag(command)
    .option('--strict', 'also fail if the program or the workdir of a webhook does not exist')
    .option('--json', 'print the result as JSON')
    .action(() => runCommand(() => check(command.opts<CheckFlags>())))
}

async function check({ config, strict = false, json = false }: CheckFlags): Promise<number> {
  const { problems, warnings, exitCode, good } = await checked(config, strict)
  if (json) {
    console.log(JSON.stringify({ good: exitCode === 0, problems, warnings }))
    return exitCode
  }
  for (const warning of warnings) console.error(`${paintError('warning', 'warning:')} ${warning}`)
  for (const problem of problems) console.error(paintProblem(problem))
  if (good !== undefined) console.log(paint('good', good))
  return exitCode
}

interface Checked {
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  readonly exitCode: number
  /** The message for a good file. */
  readonly good?: string
}

async function checked(config: string | undefined, strict: boolean): Promise<Checked> {
  const warnings: string[] = []
  let loaded: LoadedApi
  try {
    const found = await chooseConfigFile(config)
    warnings.push(...ignoredFileWarnings(found))
    const { loadApi } = await import('../api/load-api.ts')
    loaded = await loadApi(found.path, createReadFiles())
  } catch (error) {
    return { problems: failureLines(error), warnings, exitCode: exitCodeOf(error) }
  }
  const { warningsOf } = await import('../api/find-problems.ts')
  const { partProblems } = await import('../api/config-warnings.ts')
  const problems = [...partProblems(loaded)]
  for (const { text, isMissing } of await warningsOf(loaded)) {
    if (strict && isMissing) problems.push(text)
    else warnings.push(text)
  }
  if (problems.length > 0) return { problems, warnings, exitCode: badUsage }
  const good = `${loaded.file.filename} is good: ${await contentsOf(loaded)}`
  return { problems, warnings, exitCode: 0, good }
}

async function contentsOf({ config, alerts, auth }: LoadedApi): Promise<string> {
  const { servesWebhooks } = await import('../api/api-config.ts')
  const count = config.webhooks.webhooks.length
  const parts = [
    ...(alerts === undefined ? [] : ['alerts']),
    ...(auth === undefined ? [] : ['auth']),
    ...(servesWebhooks(config) ? [counted(count, 'webhook')] : []),
  ]
  return new Intl.ListFormat('en-GB').format(parts)
}
