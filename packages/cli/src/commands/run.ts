import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { isRow } from '../import/rows.ts'
import { writeErrorLine } from '../log/line-writer.ts'
import { addServerFlags, askWebhooks, type ServerFlags } from '../remote/server.ts'
import { exitCodeOfRun, showRun } from '../remote/show-run.ts'
import { runCommand } from '../run-command.ts'

interface RunFlags extends ServerFlags {
  readonly data?: string
  readonly json?: boolean
}

/** `gatehouse run`: runs a webhook of a running server. */
export function runWebhookCommand(): Command {
  const command = new Command('run')
    .description(
      'Run a webhook of a running server, show its output as it comes, and exit with the exit code of the run. Interrupting the command does not end the run.',
    )
    .argument('<id>', 'the id of the webhook')
    .argument('[value...]', 'members of the data, such as branch=main; all are texts')
  addServerFlags(command)
    .option(
      '--data <file>',
      'a JSON file with the data, - for standard input; values replace its members',
    )
    .option('--json', 'print each part of the output, and the end, as a line of JSON')
  return command.action((id: string, values: readonly string[]) =>
    runCommand(() => run(id, values, command.opts<RunFlags>())),
  )
}

async function run(id: string, values: readonly string[], flags: RunFlags): Promise<number> {
  const data = dataOf(values, flags.data)
  const ended = await askWebhooks(flags, (server) =>
    showRun(server.stream(id, data), flags.json === true),
  )
  if (ended !== undefined) return exitCodeOfRun(ended)
  writeErrorLine('no run: the webhook answered without one, such as because of its rules\n')
  return 0
}

/** The data of the delivery; `undefined` without any, so that it has no body. */
function dataOf(values: readonly string[], file: string | undefined): object | undefined {
  const pairs = values.map((text): readonly [string, string] => {
    const at = text.indexOf('=')
    if (at < 1) throw new Error(`"${text}" is not name=value`)
    return [text.slice(0, at), text.slice(at + 1)]
  })
  if (file === undefined) return pairs.length === 0 ? undefined : Object.fromEntries(pairs)
  return { ...readData(file), ...Object.fromEntries(pairs) }
}

function readData(file: string): object {
  const text = readFileSync(file === '-' ? 0 : file, 'utf8')
  try {
    const data: unknown = JSON.parse(text)
    if (isRow(data)) return data
  } catch {
    // The error below also covers text that is not JSON.
  }
  throw new Error(`${file}: must be a JSON object`)
}
