import { pathFrom } from '../../document/path.ts'
import type { Instant } from '../../time/clock.ts'
import { memberText } from '../body/json-text.ts'
import { checkCommandLine, resolveArguments } from '../command/command-arguments.ts'
import { placeArguments } from '../command/command-line.ts'
import { commandEnvironment } from '../command/environment.ts'
import { type FileContent, resolveFiles } from '../command/value-files.ts'
import type { WebhooksContext } from '../context.ts'
import type { Delivery } from '../request/delivery.ts'
import type { Command } from '../runner/command.ts'
import type { Webhook } from '../webhook.ts'

/** The command of a delivery with all its values. */
export interface PreparedCommand {
  readonly command: Command
  /** Contents of private files, written before the command starts. */
  readonly files: readonly FileContent[]
  /** The reason why it cannot be started; `undefined` if it probably can. */
  readonly problem: string | undefined
}

/** The run of a prepared command. */
export interface PreparedFor {
  readonly runId: string
  readonly now: Instant
}

/**
 * Resolves all values that a command takes from its delivery, and finds its program.
 *
 * @throws {GatehouseError} `argument_missing` or `argument_rejected`.
 */
export async function prepareCommand(
  webhooks: WebhooksContext,
  webhook: Webhook,
  delivery: Delivery,
  { runId, now }: PreparedFor,
): Promise<PreparedCommand> {
  const { limits, withheld } = webhooks.config.current
  const { environment } = webhooks
  const args = resolveArguments(webhook, delivery, now)
  const line = placeArguments(webhook.command, args)
  const [first] = line
  const env = commandEnvironment({
    webhook,
    delivery,
    now,
    environment,
    withheld,
    runId,
    attempt: 1,
  })
  const files = resolveFiles(webhook, delivery, now)
  checkCommandLine(line, limits.command_line_bytes)
  const workdir = pathFrom(webhooks.workdir, webhook.workdir)
  const found = await webhooks.work.programs.find(first, workdir, env.PATH)
  const [program, prefix] = 'problem' in found ? [first, []] : [found.program, found.prefix]
  const command: Command = {
    program,
    // Unlike a spread, this leaves no spare capacity in an array that may wait for long.
    args: prefix.concat(line.slice(1)),
    workdir,
    env,
    stdin: standardInput(webhook, delivery),
    outputBytes: webhook.output_bytes,
    outputKeep: webhook.output_keep,
    ...(webhook.stderr === 'stdout' ? { mergesOutputs: true } : {}),
    killLeftovers: webhook.leftovers === 'kill',
    live: webhook.mode === 'stream',
  }
  return { command, files, problem: 'problem' in found ? found.problem : undefined }
}

/** The standard input of a command. */
function standardInput({ stdin }: Webhook, { body, rawBody }: Delivery): Uint8Array | undefined {
  if (stdin === 'none') return undefined
  if (stdin === 'body' && rawBody !== undefined) return rawBody
  const data = memberText(body, ['data'])
  const hasData = data !== undefined && data.value !== null
  const text = stdin === 'body' ? body.text : hasData ? data.text : '{}'
  return new TextEncoder().encode(text)
}
