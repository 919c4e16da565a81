import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Command } from 'commander'
import { loadApi } from '../api/load-api.ts'
import { badNews } from '../config/exit-codes.ts'
import { failureLines } from '../config/failure.ts'
import { createReadFiles } from '../config/read-files.ts'
import { createAsker } from '../init/ask.ts'
import { type AnswerFlags, answerFlags, collectAnswers } from '../init/collect-answers.ts'
import { configFiles } from '../init/config-files.ts'
import { nextSteps } from '../init/next-steps.ts'
import { refuseExisting, writeFiles } from '../init/write-files.ts'
import { paintError } from '../log/color.ts'
import { runCommand } from '../run-command.ts'

interface InitFlags extends AnswerFlags {
  readonly yes?: boolean
  readonly force?: boolean
  readonly json?: boolean
}

/** `gatehouse init`: asks a few questions and writes a configuration. */
export function initCommand(): Command {
  const command = new Command('init')
    .description(
      'Ask a few questions and write a configuration for `gatehouse api`. Flags answer questions before they are asked.',
    )
    .argument('[folder]', 'where to write it', '.')
    .option('--yes', 'ask nothing: take the flags, and the defaults for the rest')
    .option('--force', 'replace files that exist, except generated secrets')
    .option('--json', 'print the names of the files as JSON')
  for (const [flags, description] of answerFlags) command.option(flags, description)
  return command.action((folder: string) =>
    runCommand(() => init(folder, command.opts<InitFlags>())),
  )
}

async function init(folder: string, flags: InitFlags): Promise<number> {
  const { yes = false, force = false, json = false } = flags
  if (!force) refuseExisting(folder, [{ path: 'config.yaml' }])
  const asker = createAsker(yes)
  const answers = await collectAnswers(flags, asker).finally(() => asker.close())
  const files = configFiles(answers, () => randomBytes(32).toString('base64url'))
  writeFiles(folder, files, { force })
  const config = join(folder, 'config.yaml')
  const problems = await problemsOf(config)
  if (json) {
    const paths = files.map(({ path }) => join(folder, path))
    console.log(JSON.stringify({ config, files: paths, problems }))
  } else {
    console.log(`Wrote ${files.map(({ path }) => join(folder, path)).join(', ')}.\n`)
    for (const problem of problems) {
      console.error(`${paintError('warning', 'before it starts:')} ${problem}`)
    }
    console.log(nextSteps(answers, folder).join('\n'))
  }
  return problems.length === 0 ? 0 : badNews
}

/** A reference may name a variable or a file that is not there yet. */
async function problemsOf(config: string): Promise<readonly string[]> {
  try {
    await loadApi(config, createReadFiles())
    return []
  } catch (error) {
    return failureLines(error)
  }
}
