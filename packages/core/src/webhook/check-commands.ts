import { pathFrom } from '../document/path.ts'
import { type Decode, decodeInput, environmentInput, exactly, rawText } from '../input/decode.ts'
import { refuse } from '../input/refusal.ts'
import { isLoaded } from './config/config.ts'
import type { WebhooksConfigCode, WebhooksConfigProblem } from './config/problem.ts'
import { checkWorkdir, findProgram } from './runner/program/program.ts'
import type { LoadedWebhooksConfig, Webhook } from './webhook.ts'

/** The environment in which {@link checkCommands} looks for programs. */
export interface CheckCommandsOptions {
  /** The variables of the server. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Absolute path of the working directory of the server. */
  readonly workdir: string
}

const decodeOptions = exactly<CheckCommandsOptions>({
  environment: environmentInput,
  workdir: rawText,
})

const loadedConfig: Decode<LoadedWebhooksConfig> = (value) =>
  typeof value === 'object' && value !== null && isLoaded(value)
    ? value
    : refuse('a configuration, as readWebhooksConfig() reads it', value)

/**
 * Checks whether the program and the workdir of every enabled webhook exist now. Treat the problems as warnings: a deploy may
 * still create the files.
 *
 * @throws {GatehouseError} `InvalidInput`
 */
export async function checkCommands(
  given: LoadedWebhooksConfig,
  how: CheckCommandsOptions,
): Promise<readonly WebhooksConfigProblem[]> {
  const config = decodeInput('config', loadedConfig, given)
  const options = decodeInput('options', decodeOptions, how)
  const problems: WebhooksConfigProblem[] = []
  for (const [index, webhook] of config.webhooks.entries()) {
    if (!webhook.enabled) continue
    const found = await checkWebhook(webhook, config.withheld, options)
    if (found === undefined) continue
    const path = `webhooks[${index}].${found.key}`
    const { code, message } = found
    problems.push({ path, code, message, ...config.places.get(path) })
  }
  return problems
}

interface Found {
  readonly key: 'execute_command' | 'workdir'
  readonly code: WebhooksConfigCode
  readonly message: string
}

async function checkWebhook(
  webhook: Webhook,
  withheld: ReadonlySet<string>,
  { environment, workdir: serverWorkdir }: CheckCommandsOptions,
): Promise<Found | undefined> {
  const { command } = webhook
  const workdir = pathFrom(serverWorkdir, webhook.workdir)
  const problem = await checkWorkdir(workdir)
  if (problem !== undefined) return { key: 'workdir', code: 'workdir_not_found', message: problem }
  const program = command.kind === 'words' ? command.words[0] : command.shell
  const path = searchPath(webhook, environment, withheld)
  const found = await findProgram(program, workdir, path)
  const key = 'execute_command'
  if ('problem' in found) return { key, code: 'program_not_found', message: found.problem }
  if (found.prefix.length === 0) return undefined
  const message = `the script has no #! line, so ${found.program} runs it`
  return { key, code: 'no_interpreter', message }
}

/** The PATH of the command, unless a request sets it. */
function searchPath(
  { env }: Webhook,
  environment: Readonly<Record<string, string | undefined>>,
  withheld: ReadonlySet<string>,
): string | undefined {
  const own = env.get('PATH')
  if (own?.kind === 'text') return own.value.reveal()
  return withheld.has('PATH') ? undefined : environment.PATH
}
