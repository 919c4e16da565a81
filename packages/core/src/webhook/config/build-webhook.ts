import { findMember, memberOrSelf, report, warn } from '../../document/place.ts'
import { quoteKey } from '../../document/problem.ts'
import { isGatehouseError } from '../../errors.ts'
import { createTokenCheck } from '../access/token.ts'
import { argumentsProblem, parseCommandLine } from '../command/command-line.ts'
import { parseSource } from '../request/source.ts'
import { pathFrom } from '../runner/program/path.ts'
import type { CommandLine, Executor, Webhook } from '../webhook.ts'
import { isDigest } from './outside-text.ts'
import type { Place } from './place.ts'
import type { WebhookSettings, WrittenWebhook } from './webhook-settings.ts'

/** What all webhooks share. */
export interface WebhookSurroundings {
  readonly defaults: Partial<WebhookSettings>
  readonly executor: Executor
}

/**
 * Checks what the keys of a webhook mean together, and fills in its defaults. Answers `undefined` if a key is
 * missing without which there is no webhook.
 */
export function buildWebhook(
  place: Place,
  written: Partial<WrittenWebhook>,
  { defaults, executor }: WebhookSurroundings,
): Webhook | undefined {
  const given: Partial<WrittenWebhook> = { ...defaults, ...written }
  const isBroken: IsBroken = (key) =>
    written[key] === undefined && findMember(place, key) !== undefined
  const command = buildCommand(place, given, isBroken)
  checkVariables(place, given)
  const auth = buildAuth(place, given, isBroken)
  const { id, token, execute_command, workdir } = given
  if (token !== undefined) warnOfTokens(place, id, token, given.tokens ?? [])
  if (id === undefined || token === undefined) return undefined
  if (execute_command === undefined || command === undefined || workdir === undefined) {
    return undefined
  }
  return {
    id,
    enabled: given.enabled ?? true,
    token: createTokenCheck([token, ...(given.tokens ?? [])], given.token_format ?? 'any'),
    signature: given.signature,
    auth,
    allow_ips: given.allow_ips,
    dedupe: given.dedupe ?? defaultDedupe(given),
    rules: given.rules,
    execute_command,
    command,
    workdir: workdir === '' ? '' : pathFrom(place.reading.directory, workdir),
    command_arguments: given.command_arguments ?? [],
    env: given.env ?? new Map(),
    pass_env: given.pass_env ?? [],
    stdin: given.stdin ?? 'none',
    files: given.files ?? [],
    mode: given.mode ?? 'sync',
    sync_wait: given.sync_wait ?? undefined,
    timeout: given.timeout === undefined ? 600_000 : (given.timeout ?? undefined),
    kill_grace: given.kill_grace ?? 5_000,
    concurrency: given.concurrency ?? 1,
    queue: given.queue ?? 100,
    on_busy: given.on_busy ?? 'queue',
    rate_limit: given.rate_limit,
    include_output: given.include_output ?? 'never',
    output_bytes: given.output_bytes ?? 2 ** 20,
    output_keep: given.output_keep ?? 'head',
    on_output_limit: given.on_output_limit ?? 'truncate',
    success_status: given.success_status ?? 200,
    failure_status: given.failure_status ?? 500,
    exit_status_map: given.exit_status_map ?? new Map(),
    response: given.response ?? 'json',
    response_headers: given.response_headers ?? {},
    on_disconnect: given.on_disconnect ?? 'continue',
    leftovers: given.leftovers ?? 'leave',
    accept: given.accept ?? ['json'],
    body_bytes: given.body_bytes,
    executor: given.executor ?? executor,
  }
}

/** Whether a key is there, but its value is not sound: what depends on it cannot be judged. */
type IsBroken = (key: keyof WrittenWebhook) => boolean

function buildCommand(
  place: Place,
  given: Partial<WrittenWebhook>,
  isBroken: IsBroken,
): CommandLine | undefined {
  const { execute_command: text, shell = 'auto' } = given
  if (text === undefined || isBroken('shell')) return undefined
  const textPlace = memberOrSelf(place, 'execute_command')
  const command = parseCommand(textPlace, text, shell)
  if (command === undefined || countArguments(place, given) === 0) return command
  const problem = argumentsProblem(command)
  if (problem !== undefined) report(textPlace, 'arguments_not_placeable', problem)
  return command
}

function parseCommand(place: Place, text: string, shell: string): CommandLine | undefined {
  try {
    return parseCommandLine(text, shell)
  } catch (error) {
    if (!isGatehouseError(error) || error.reason !== 'bad_command') throw error
    return report(place, 'bad_command', error.message)
  }
}

/** How many arguments are written, sound or not. */
function countArguments(place: Place, given: Partial<WrittenWebhook>): number {
  const list = findMember(place, 'command_arguments')?.node
  return list?.kind === 'sequence' ? list.items.length : (given.command_arguments?.length ?? 0)
}

function buildAuth(
  place: Place,
  given: Partial<WrittenWebhook>,
  isBroken: IsBroken,
): Webhook['auth'] {
  const auth = given.auth ?? (given.signature === undefined ? 'token' : 'signature')
  const isSigned = given.signature !== undefined || isBroken('signature')
  if (auth !== 'token' && !isSigned) {
    report(memberOrSelf(place, 'auth'), 'conflict', `${auth} needs a signature`)
  }
  return auth
}

/** A sender of this scheme repeats a delivery under its id. */
function defaultDedupe({ signature }: Partial<WrittenWebhook>): Webhook['dedupe'] {
  if (signature?.scheme !== 'standard') return undefined
  return { from: parseSource('header:webhook-id'), ttl: 86_400_000 }
}

/** A variable is set once. */
function checkVariables(place: Place, { env, files = [] }: Partial<WrittenWebhook>): void {
  const names = new Set(env?.keys())
  for (const { env: name } of files) {
    if (names.has(name)) {
      const message = `the variable ${quoteKey(name)} is set twice`
      report(memberOrSelf(place, 'files'), 'conflict', message)
    }
    names.add(name)
  }
}

const shortestToken = 16

function warnOfTokens(
  place: Place,
  id: string | undefined,
  token: string,
  tokens: readonly string[],
): void {
  warnOfToken(memberOrSelf(place, 'token'), token)
  for (const more of tokens) warnOfToken(memberOrSelf(place, 'tokens'), more)
  if (token === id) warn(memberOrSelf(place, 'token'), 'is the same as the id')
  if (id !== undefined && tokens.includes(id)) {
    warn(memberOrSelf(place, 'tokens'), 'one of them is the same as the id')
  }
}

/** Warns of a token that can be guessed, or that looks like a digest and is none. */
export function warnOfToken(place: Place, token: string): void {
  if (isDigest(token)) return
  if (/^sha(?:256|1):/.test(token)) warn(place, 'is no digest, so it counts as the token itself')
  if ([...token].length < shortestToken) warn(place, `is shorter than ${shortestToken} characters`)
}
