import { isDigest } from '../../document/outside-text.ts'
import type { Sound } from '../../document/schema.ts'
import type { Rule, SignatureOptions, Source } from '../webhook.ts'
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

/** How deliveries of a webhook are verified: by its own signature, or by that of its sender. */
function signatureOf({
  signature,
  sender,
}: Pick<Sound<WrittenWebhook>, 'signature' | 'sender'>): Sound<SignatureOptions> | undefined {
  return signature ?? sender?.signature
}

/** Whether a signature covers what is delivered, and does not only show a token. */
const coversBody = (signature: Sound<SignatureOptions> | undefined): boolean =>
  signature?.formats?.some((format) => format?.algorithm !== 'token') === true

/** Checks the keys that say who may send requests. */
export function checkAccess(given: Sound<WrittenWebhook>, checking: WebhookChecking): void {
  if (given.auth === 'none') checkOpen(given, checking)
  else checkAuth(given, checking)
  checkTokens(given, checking)
  checkTokenPlace(given, checking)
  checkMethods(given, checking)
  checkForms(given, checking)
}

function checkAuth(given: Sound<WrittenWebhook>, checking: WebhookChecking): void {
  const { isBroken, report, reportMissing } = checking
  if (given.public === true) report('public', 'conflict', 'needs auth: none')
  const isSigned = signatureOf(given) !== undefined || isBroken('signature') || isBroken('sender')
  const { auth = isSigned ? 'signature' : 'token' } = given
  if (auth !== 'token' && !isSigned) report('auth', 'conflict', `${auth} requires a signature`)
  const hasToken = given.token !== undefined || isBroken('token')
  if (hasToken || isBroken('auth')) return
  if (auth === 'signature' && isSigned) return
  // Nobody needs to send anything to a webhook that runs on its own.
  const own = ['schedule', 'after', 'on_alert'] as const
  const runsItself = own.some((key) => given[key] || isBroken(key))
  if (!isSigned && runsItself) return
  const message = isSigned ? `is missing: auth ${auth} needs it` : 'is missing'
  reportMissing('token', message, ['execute_command', 'workdir'])
}

const waysToBeOpen =
  'none needs one of allow_ips, a rule on a value of the request (equals, one_of or pattern), a signature or a client_ip, and public: true'

/** A webhook without a token and a signature is open to nobody by mistake. */
function checkOpen(
  given: Sound<WrittenWebhook>,
  { isBroken, report, warn }: WebhookChecking,
): void {
  const { token, tokens = [], allow_ips: ranges, rules, public: isPublic } = given
  const { signature, sender } = given
  const idle = { token, tokens: tokens[0], signature, sender: sender?.signature }
  for (const key of ['token', 'tokens', 'signature', 'sender'] as const) {
    if (idle[key] !== undefined) report(key, 'conflict', 'has no effect with auth: none')
  }
  const isLimited = ranges?.every((range) => range?.prefix !== 0) === true
  if (isPublic === true) {
    warn('public', 'any sender that reaches the server may run it; set rate_limit')
  } else if (!isLimited && !demandsValue(rules?.rule)) {
    const isUnknown = (['allow_ips', 'rules', 'public'] as const).some((key) => isBroken(key))
    if (!isUnknown) report('auth', 'conflict', waysToBeOpen)
  }
}

/** Whether only requests with certain values satisfy a rule. Every sender has a method and a time, and can leave a value out. */
function demandsValue(rule: Sound<Rule> | undefined): boolean {
  if (rule?.kind === 'all') return rule.rules?.some(demandsValue) === true
  if (rule?.kind === 'any') return rule.rules?.every(demandsValue) === true
  if (rule?.kind === 'signature') return true
  if (rule?.kind === 'client_ip') return rule.ranges?.every((one) => one?.prefix !== 0) === true
  if (rule?.kind !== 'match') return false
  const { from, test } = rule
  if (from?.kind === 'request' && from.fact !== 'client_ip') return false
  if (test?.kind === 'pattern') return test.pattern?.test?.('') === false
  return test?.kind === 'equals' || test?.kind === 'one_of'
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
  if (place?.kind === 'query' || place?.kind === 'path') {
    const message = `a token in the ${place.kind} is in the logs of proxies and senders; prefer a header`
    warn('token_in', message)
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

/** Another body would never fit a signature that covers the parameters of a form. */
function checkForms(given: Sound<WrittenWebhook>, { report }: WebhookChecking): void {
  const signature = signatureOf(given)
  const isOfForm =
    signature?.formats?.every((one) => one?.signed?.includes('{parameters}')) === true
  const { accept = given.sender?.sender?.settings?.accept ?? [] } = given
  if (isOfForm && !(accept.length === 1 && accept[0] === 'form')) {
    report(
      'accept',
      'conflict',
      'must be [form], because the signature covers the parameters of a form',
    )
  }
}

/** A request without a body has nothing that a signature covers. */
function checkMethods(given: Sound<WrittenWebhook>, { report, warn }: WebhookChecking): void {
  const { methods = [], auth = 'signature', token_in: place } = given
  const signature = signatureOf(given)
  const bodiless = methods.filter((one) => one === 'GET' || one === 'HEAD').join(' and ')
  const isSigned = coversBody(signature)
  const needsOnlyUrl =
    auth === 'none' || place?.kind === 'query' || place?.kind === 'path' || place?.kind === 'basic'
  if (bodiless !== '' && needsOnlyUrl && signature === undefined) {
    warn('methods', `scanners of links, previews and prefetching may run it by ${bodiless}`)
  }
  // With `either`, such a request needs the token.
  if (bodiless === '' || !isSigned || (auth !== 'signature' && auth !== 'both')) return
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
