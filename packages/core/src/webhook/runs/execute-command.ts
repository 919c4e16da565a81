import { errorText } from '../../errors.ts'
import type { RunOutputLog } from '../board/output-log.ts'
import type { CommandOutcome } from '../board/run-progress.ts'
import { type PrivateFiles, writePrivateFiles } from '../command/private-files.ts'
import type { WebhooksContext } from '../context.ts'
import { logText } from '../log-text.ts'
import type {
  CommandListener,
  CommandNotStarted,
  CommandRunner,
  RunningCommand,
} from '../runner/command.ts'
import { startProblem } from '../runner/process/start-problem.ts'
import type { Webhook } from '../webhook.ts'
import type { PreparedCommand } from './prepare-command.ts'
import { type SupervisedCommand, superviseCommand } from './supervise-command.ts'

/** A command to execute. */
export interface Execution {
  readonly runId: string
  readonly webhook: Webhook
  readonly prepared: PreparedCommand
  /** Called with each piece of output. */
  readonly onOutput: NonNullable<CommandListener['onOutput']>
  /** Called once the command has its input, or never will. */
  readonly onGiven: () => void
}

/** Executes the command of a run as its webhook configures it. Its private files are removed when it has ended. */
export function executeCommand(
  webhooks: WebhooksContext,
  { runId, webhook, prepared, onOutput, onGiven }: Execution,
): SupervisedCommand {
  const { clock, logger, events } = webhooks
  const about = { run_id: runId, webhook: webhook.id }
  const log = outputLog(webhooks, about)
  let files: PrivateFiles | undefined

  const launch = async (listener: CommandListener): ReturnType<CommandRunner['start']> => {
    try {
      files = await privateFiles(webhooks, prepared)
      return await start(webhooks, webhook, prepared, files, listener)
    } catch (error) {
      logger.error(
        { ...about, error: logText(errorText(error)) },
        'a command could not be prepared',
      )
      // Callers see this text, and the error may contain a path.
      return { problem: startProblem(error) }
    } finally {
      onGiven()
    }
  }

  const { started, outcome, end } = superviseCommand({
    clock,
    webhook,
    start: launch,
    onOutput(stream, chunk) {
      log?.add(stream, chunk)
      events.emit('run.output', () => ({ run_id: runId, webhook_id: webhook.id, stream, chunk }))
      return onOutput(stream, chunk)
    },
    onProblem(problem) {
      logger.error(
        { ...about, problem: logText(problem) },
        'the command could not be started, or its result is unknown',
      )
    },
  })

  const cleanUp = async (result: CommandOutcome): Promise<CommandOutcome> => {
    try {
      await files?.remove()
    } catch (error) {
      logger.error({ ...about, error: String(error) }, 'private files could not be removed')
    }
    return result
  }
  const isClean = prepared.files.length === 0
  return { started, outcome: isClean ? outcome : outcome.then(cleanUp), end }
}

/** Starts a command with a listener. */
function start(
  { work, logger }: WebhooksContext,
  webhook: Webhook,
  { command }: PreparedCommand,
  files: PrivateFiles | undefined,
  listener: CommandListener,
): Promise<{ readonly running: RunningCommand } | CommandNotStarted> {
  const { program, args, env } = command
  logger.debug({ webhook: webhook.id, argv: [program, ...args].map(logText) }, 'starting a command')
  const runner = work.runners.of(webhook.executor)
  const given = files === undefined ? command : { ...command, env: { ...env, ...files.env } }
  return runner.start(given, listener)
}

/** Writes the files of a command, in a folder in memory if there is one. */
async function privateFiles(
  { environment }: WebhooksContext,
  { files, command: { workdir } }: PreparedCommand,
): Promise<PrivateFiles | undefined> {
  if (files.length === 0) return undefined
  const temporary = environment.TMPDIR || '/tmp'
  return writePrivateFiles(files, { workdir, folders: ['/dev/shm', temporary, '/var/tmp'] })
}

/** Logs each line that a command writes, if configured. */
function outputLog(
  { config, counters, work }: WebhooksContext,
  about: { readonly run_id: string; readonly webhook: string },
): RunOutputLog | undefined {
  if (!config.current.log.run_output) return undefined
  const onDropped = (bytes: number): void => counters.outputDropped(about.webhook, bytes)
  return work.outputLog.open({ ...about, onDropped })
}
