import { pathFrom } from '../../document/path.ts'
import { quoteKey } from '../../document/problem.ts'
import type { Sound } from '../../document/schema.ts'
import { isGatehouseError } from '../../errors.ts'
import { createTokenCheck } from '../access/token.ts'
import { type CommandValues, commandHazards } from '../command/command-hazards.ts'
import { argumentsProblem, parseCommandLine } from '../command/command-line.ts'
import { standard } from '../senders/standard/sender.ts'
import type { CommandLine, ConfiguredAnswer, Executor, Sender, Webhook } from '../webhook.ts'
import { checkAccess, type WebhookChecking } from './check-access.ts'
import { closed, type WrittenValues } from './missing-values.ts'
import type { WrittenSender } from './sender.ts'
import type { WebhookSettings, WrittenWebhook } from './webhook-settings.ts'

/** Checks the keys of a webhook together with `defaults`. */
export function checkWebhook(
  written: Sound<WrittenWebhook>,
  defaults: Sound<Partial<WebhookSettings>>,
  checking: WebhookChecking,
): void {
  const given: Sound<WrittenWebhook> = { ...defaults, ...present(written) }
  checkCommand(given, checking)
  checkVariables(given, checking)
  checkAccess(given, checking)
  checkAnswers(given, checking)
  const isStreamed = given.mode === 'stream' && typeof given.response === 'object'
  if (isStreamed) checking.report('response', 'conflict', 'a stream has no fixed text')
}

/** Values of a request are encoded for the type of their answer, so no header may change it. */
function checkAnswers(given: Sound<WrittenWebhook>, { report }: WebhookChecking): void {
  const { response, answers = [], response_headers: headers = {} } = given
  const texts = [...(typeof response === 'object' ? [response] : []), ...answers]
  const hasPlaces = texts.some((one) => one?.text?.some((piece) => typeof piece === 'object'))
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  if (!hasPlaces || !hasType) return
  report('response_headers', 'conflict', 'Content-Type belongs to the key type of the answer')
}

/** Drops the invalid keys. */
const present = (written: Sound<WrittenWebhook>): Sound<WrittenWebhook> =>
  Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined))

function checkCommand(given: Sound<WrittenWebhook>, checking: WebhookChecking): void {
  const { execute_command: text, shell = 'auto', command_arguments: parts = [] } = given
  const { isBroken, report } = checking
  if (text === undefined || isBroken('shell')) return
  try {
    const command = parseCommandLine(text, shell)
    const problem = parts.length === 0 ? undefined : argumentsProblem(command)
    if (problem !== undefined) report('execute_command', 'arguments_not_placeable', problem)
    else checkValues(command, given, checking)
  } catch (error) {
    if (!isGatehouseError(error) || error.reason !== 'bad_command') throw error
    report('execute_command', 'bad_command', error.message)
  }
}

/** No shell may read a value of a request as anything but one text. */
function checkValues(
  command: CommandLine,
  given: Sound<WrittenWebhook>,
  { isBroken, report, warn }: WebhookChecking,
): void {
  const { command_arguments: args = [], env = new Map(), files = [], stdin = 'none' } = given
  const { on_missing = 'error', allow_dash = false } = given
  const parts: readonly unknown[] = [...args, ...env.values(), ...files]
  const keys = ['command_arguments', 'env', 'files', 'stdin', 'on_missing'] as const
  if (parts.includes(undefined) || keys.some((key) => isBroken(key))) return
  // Parts that are there are sound.
  const values = closed({ command_arguments: args, env, files } as WrittenValues, {
    on_missing,
    allow_dash,
  })
  const ofCommand: CommandValues = { ...values, args: values.command_arguments, stdin }
  for (const { isSure, problem } of commandHazards(command, ofCommand)) {
    if (isSure) report('execute_command', 'unsafe_command', problem)
    else warn('execute_command', problem)
  }
}

/** A variable must be set only once. */
function checkVariables(
  { env, files = [] }: Sound<WrittenWebhook>,
  { report }: WebhookChecking,
): void {
  const names = new Set<string | undefined>(env?.keys())
  for (const file of files) {
    const name = file?.env
    if (name !== undefined && names.has(name)) {
      report('files', 'conflict', `the variable ${quoteKey(name)} is set twice`)
    }
    names.add(name)
  }
}

/** Values that a webhook inherits. */
export interface WebhookSurroundings {
  /** The documented defaults. */
  readonly settings: WebhookSettings
  readonly defaults: Partial<WebhookSettings>
  readonly executor: Executor
  /** Relative paths start here. */
  readonly directory: string
}

/** Fills in every default of a valid webhook. */
export function buildWebhook(
  written: WrittenWebhook,
  { settings, defaults, executor, directory }: WebhookSurroundings,
): Webhook {
  const ofSender = settingsOf((written.sender ?? defaults.sender)?.sender)
  const { tokens, token_format, shell, token, on_missing, allow_dash, sender, ...given } = {
    ...settings,
    ...ofSender,
    ...defaults,
    ...written,
  }
  const { execute_command, workdir, dedupe } = given
  const signature = given.signature ?? sender?.signature
  return {
    ...given,
    ...closed(given, { on_missing, allow_dash }),
    token: createTokenCheck(token === undefined ? tokens : [token, ...tokens], token_format),
    public: written.public ?? false,
    signature,
    sender: sender?.handshake === 'answer' ? configured(sender) : undefined,
    auth: given.auth ?? (signature === undefined ? 'token' : 'signature'),
    dedupe:
      dedupe === undefined
        ? defaultDedupe(signature, sender)
        : { from: dedupe.key.from, ttl: dedupe.ttl },
    command: parseCommandLine(execute_command, shell),
    workdir: workdir === '' ? '' : pathFrom(directory, workdir),
    executor: given.executor ?? executor,
  }
}

const emptyAnswer: ConfiguredAnswer = {
  text: [],
  type: 'text/plain; charset=utf-8',
  headers: new Map(),
}

type SenderSettings = Partial<
  Pick<WebhookSettings, 'accept' | 'form' | 'max_body_bytes' | 'mode' | 'response'>
>

/** The settings that a sender brings. */
function settingsOf(sender: Sender | undefined): SenderSettings {
  const { response, ...others } = sender?.settings ?? {}
  if (response === undefined) return others
  return { ...others, response: response === 'empty' ? emptyAnswer : response }
}

const configured = ({ sender, verify_token }: WrittenSender): Webhook['sender'] => ({
  sender,
  verifyToken: verify_token,
})

/** Senders repeat a delivery with the same id. */
function defaultDedupe(
  signature: Webhook['signature'],
  sender: WrittenSender | undefined,
): Webhook['dedupe'] {
  const isStandard = signature?.formats === standard.signatures
  const from = isStandard ? standard.dedupe : sender?.sender.dedupe
  return from && { from, ttl: 86_400_000 }
}
