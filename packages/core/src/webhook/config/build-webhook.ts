import { isDigest } from '../../document/outside-text.ts'
import { pathFrom } from '../../document/path.ts'
import { quoteKey } from '../../document/problem.ts'
import type { Sound } from '../../document/schema.ts'
import { isGatehouseError } from '../../errors.ts'
import { createTokenCheck } from '../access/token.ts'
import { type CommandValues, commandHazards } from '../command/command-hazards.ts'
import { argumentsProblem, parseCommandLine } from '../command/command-line.ts'
import type { CommandLine, Executor, Webhook } from '../webhook.ts'
import type { WebhookSettings, WrittenWebhook } from './webhook-settings.ts'

/** Reports problems of one webhook's keys. */
export interface WebhookChecking {
  /** Whether a key is present with an invalid value. Rules that depend on it cannot be checked. */
  isBroken(key: keyof WrittenWebhook): boolean
  report(key: keyof WrittenWebhook, code: string, message: string): void
  reportMissing(
    key: keyof WrittenWebhook,
    message: string,
    later: readonly (keyof WrittenWebhook)[],
  ): void
  warn(key: keyof WrittenWebhook, message: string): void
}

/** Checks the keys of a webhook together with `defaults`. */
export function checkWebhook(
  written: Sound<WrittenWebhook>,
  defaults: Sound<Partial<WebhookSettings>>,
  checking: WebhookChecking,
): void {
  const given: Sound<WrittenWebhook> = { ...defaults, ...present(written) }
  checkCommand(given, checking)
  checkVariables(given, checking)
  checkAuth(given, checking)
  checkTokens(given, checking)
  checkMethods(given, checking)
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
  const parts: readonly unknown[] = [...args, ...env.values(), ...files]
  const keys = ['command_arguments', 'env', 'files', 'stdin'] as const
  if (parts.includes(undefined) || keys.some((key) => isBroken(key))) return
  // Parts that are there are sound.
  const values = { args, env, files, stdin } as CommandValues
  for (const { isSure, problem } of commandHazards(command, values)) {
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

function checkAuth(
  given: Sound<WrittenWebhook>,
  { isBroken, report, reportMissing }: WebhookChecking,
): void {
  const isSigned = given.signature !== undefined || isBroken('signature')
  const { auth = isSigned ? 'signature' : 'token' } = given
  if (auth !== 'token' && !isSigned) report('auth', 'conflict', `${auth} requires a signature`)
  const hasToken = given.token !== undefined || isBroken('token')
  if (hasToken || isBroken('auth')) return
  if (auth === 'signature' && isSigned) return
  const message = isSigned ? `is missing: auth ${auth} needs it` : 'is missing'
  reportMissing('token', message, ['execute_command', 'workdir'])
}

function checkTokens(
  { id, token, tokens = [] }: Sound<WrittenWebhook>,
  { warn }: WebhookChecking,
): void {
  for (const problem of token === undefined ? [] : tokenWarnings(token)) warn('token', problem)
  for (const more of tokens) {
    for (const problem of more === undefined ? [] : tokenWarnings(more)) warn('tokens', problem)
  }
  if (token !== undefined && token === id) warn('token', 'equals the id')
  if (id !== undefined && tokens.includes(id)) warn('tokens', 'one of them equals the id')
}

/** A request without a body has nothing that a signature covers. */
function checkMethods(
  { methods = [], signature, auth = 'signature' }: Sound<WrittenWebhook>,
  { report }: WebhookChecking,
): void {
  const bodiless = methods.filter((one) => one === 'GET' || one === 'HEAD').join(' and ')
  const isSigned = signature !== undefined && signature.scheme !== 'gitlab-token'
  if (bodiless === '' || !isSigned || auth === 'token') return
  const message = `${bodiless} cannot be signed: a signature covers the body, not the query`
  report('methods', 'conflict', message)
}

const shortestToken = 16
/** It stood in an example, so it is public. */
const publicToken = 'not-used-by-github'

/** Warnings for a token that is easy to guess, or that resembles a digest. */
export function tokenWarnings(token: string): readonly string[] {
  if (isDigest(token)) return []
  const isShort = [...token].length < shortestToken
  return [
    ...(/^sha(?:256|1):/.test(token)
      ? ['is not a valid digest, so it is used as the token itself']
      : []),
    ...(token === publicToken ? ['is public, because it stood in an example'] : []),
    ...(isShort ? [`is shorter than ${shortestToken} characters`] : []),
  ]
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
  const { tokens, token_format, shell, token, ...given } = { ...settings, ...defaults, ...written }
  const { execute_command, workdir, signature, dedupe } = given
  return {
    ...given,
    token: createTokenCheck(token === undefined ? tokens : [token, ...tokens], token_format),
    auth: given.auth ?? (signature === undefined ? 'token' : 'signature'),
    dedupe:
      dedupe === undefined ? defaultDedupe(given) : { from: dedupe.key.from, ttl: dedupe.ttl },
    command: parseCommandLine(execute_command, shell),
    workdir: workdir === '' ? '' : pathFrom(directory, workdir),
    executor: given.executor ?? executor,
  }
}

/** Senders of this scheme repeat a delivery with the same id. */
function defaultDedupe({ signature }: Pick<Webhook, 'signature'>): Webhook['dedupe'] {
  if (signature?.scheme !== 'standard') return undefined
  return { from: { kind: 'standard_id' }, ttl: 86_400_000 }
}
