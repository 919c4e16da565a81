import { isDigest } from '../../document/outside-text.ts'
import type { Sound } from '../../document/schema.ts'
import type { Source } from '../webhook.ts'
import type { WrittenWebhook } from './webhook-settings.ts'

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

/** Checks the keys that say who may send requests. */
export function checkAccess(given: Sound<WrittenWebhook>, checking: WebhookChecking): void {
  checkAuth(given, checking)
  checkTokens(given, checking)
  checkTokenPlace(given, checking)
  checkMethods(given, checking)
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

/** A source must not read the token from where it stands: the process list would show it. */
function checkTokenPlace(given: Sound<WrittenWebhook>, { report, warn }: WebhookChecking): void {
  const { token_in: place } = given
  if (place?.kind === 'query') {
    warn('token_in', 'a token in the query is in the logs of proxies and senders; prefer a header')
  }
  for (const [key, from] of commandSources(given)) {
    if (from?.kind !== 'header' && from?.kind !== 'query') continue
    if (from.kind !== place?.kind || from.name !== place.name) continue
    const source = `${from.kind}:${from.name}`
    report(key, 'secret_source', `${source} is the token, which the process list would show`)
  }
}

/** The sources of all values that commands get or that are kept. */
function commandSources({
  command_arguments = [],
  env = new Map(),
  files = [],
  dedupe,
}: Sound<WrittenWebhook>): readonly (readonly [keyof WrittenWebhook, Sound<Source> | undefined])[] {
  return [
    ...command_arguments.map((one) => ['command_arguments', one?.from] as const),
    ...[...env.values()].map(
      (one) => ['env', one?.kind === 'source' ? one.from : undefined] as const,
    ),
    ...files.map((one) => ['files', one?.from] as const),
    ['dedupe', dedupe?.key?.from],
  ]
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
