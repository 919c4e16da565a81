import { secretMask } from '../crypto/secret.ts'
import { isGatehouseError } from '../errors.ts'
import { type Decode, decodeInput, exactly, optional, rawText, recordOf } from '../input/decode.ts'
import type { Instant } from '../time/clock.ts'
import { authorizeDelivery } from './access/authorize-delivery.ts'
import { Denial } from './access/denial.ts'
import { findWebhook } from './access/find-webhook.ts'
import { greetSender } from './access/greet-sender.ts'
import { judgedDelivery } from './access/judge-delivery.ts'
import { verifySignature } from './access/signature.ts'
import { signatureHeaders } from './access/signature-offer.ts'
import type { WebhooksContext } from './context.ts'
import { deliveryOfRequest } from './delivery/delivery-of-request.ts'
import { findAnswer } from './request/answer.ts'
import type { Delivery } from './request/delivery.ts'
import { isSatisfied } from './request/rule.ts'
import { readSource } from './request/source.ts'
import { type PreparedCommand, prepareCommand } from './runs/prepare-command.ts'
import { createRunId } from './runs/run-id.ts'
import { senderInput } from './senders/define-sender.ts'
import { signInFormat } from './senders/sign-delivery.ts'
import type { Sender, Webhook } from './webhook.ts'

/** A request to try, as {@link explainDelivery} takes it. */
export interface DeliverySample {
  /** The id of the webhook. */
  readonly id: string
  readonly body: Uint8Array | string
  /** Default `POST`. */
  readonly method?: string
  /** Without its `?` (default none). */
  readonly query?: string
  /** Those of the sender, besides its signature. */
  readonly headers?: Readonly<Record<string, string>>
  /** The address that it comes from (default unknown, which `allow_ips` refuses). */
  readonly address?: string
  /** Signs it like this sender (default: as the webhook expects it). */
  readonly sender?: Sender
  /** What it is signed with (default: the secret of the webhook). Public keys need the private key, in PEM. */
  readonly key?: string
}

/** All checks, in their order. */
export const deliveryChecks = [
  'webhook',
  'signing',
  'request',
  'sender',
  'handshake',
  'answers',
  'dedupe',
  'rules',
  'command',
] as const

/** What is checked of a delivery, in this order. */
export type DeliveryCheckName = (typeof deliveryChecks)[number]

/** One check of a delivery. */
export interface DeliveryCheck {
  readonly check: DeliveryCheckName
  /** `answered`: the delivery is answered here, and runs nothing. */
  readonly outcome: 'passed' | 'refused' | 'answered'
  readonly detail: string
}

/** What a command would be given. */
export interface ExplainedCommand {
  /** The program and its arguments. */
  readonly argv: readonly string[]
  readonly workdir: string
  /** Variables of the webhook. Fixed values are masked, because they may be secrets. */
  readonly variables: Readonly<Record<string, string>>
  /** Files by the variable that has their path, with their bytes. */
  readonly files: readonly { readonly variable: string; readonly bytes: number }[]
  /** How many bytes its standard input has. */
  readonly stdin_bytes: number
}

/** What would happen to a delivery. */
export interface ExplainedDelivery {
  /** Whether it would start a run. */
  readonly runs: boolean
  readonly checks: readonly DeliveryCheck[]
  /** `null` if it would not be reached. */
  readonly command: ExplainedCommand | null
}

const body: Decode<Uint8Array | string> = (value) =>
  value instanceof Uint8Array ? value : rawText(value)

const decodeSample = exactly<DeliverySample>({
  id: rawText,
  body,
  method: optional(rawText),
  query: optional(rawText),
  headers: optional(recordOf(rawText)),
  address: optional(rawText),
  sender: optional(senderInput),
  key: optional(rawText),
})

type Trust = 'unchecked' | 'token-checked'

/** Ends the explanation: what comes after this check is not reached. */
class Stop extends Error {}

/** The checks that were made so far. */
class Checks {
  readonly made: DeliveryCheck[] = []

  pass(check: DeliveryCheckName, detail: string): void {
    this.made.push({ check, outcome: 'passed', detail })
  }

  stop(check: DeliveryCheckName, outcome: 'refused' | 'answered', detail: string): never {
    this.made.push({ check, outcome, detail })
    throw new Stop()
  }

  /** Makes an error of this service a refusal. */
  async orRefuse<T>(check: DeliveryCheckName, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!isGatehouseError(error)) throw error
      return this.stop(check, 'refused', `${error.message} (${error.reason})`)
    }
  }
}

/**
 * Explains what would happen to a delivery: signs it like its sender, makes every check of a real one, and describes what the
 * command would be given. It runs nothing, stores nothing, and counts against no limit.
 *
 * @throws {GatehouseError} `InvalidInput`.
 * @example
 * const { checks } = await explainDelivery(webhooks, { id: 'on-push', body: '{"ref":"refs/heads/main"}' })
 */
export async function explainDelivery(
  webhooks: WebhooksContext,
  given: DeliverySample,
): Promise<ExplainedDelivery> {
  return explain(webhooks, decodeInput('delivery', decodeSample, given), 'unchecked')
}

/** Like {@link explainDelivery}, for a sender that may run the webhook and need not know its token. */
export function explainForSender(
  webhooks: WebhooksContext,
  sample: DeliverySample,
): Promise<ExplainedDelivery> {
  return explain(webhooks, sample, 'token-checked')
}

async function explain(
  webhooks: WebhooksContext,
  sample: DeliverySample,
  trust: Trust,
): Promise<ExplainedDelivery> {
  const checks = new Checks()
  try {
    const command = await check(webhooks, sample, { checks, trust })
    return { runs: true, checks: checks.made, command }
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    return { runs: false, checks: checks.made, command: null }
  }
}

async function check(
  webhooks: WebhooksContext,
  sample: DeliverySample,
  { checks, trust }: { readonly checks: Checks; readonly trust: Trust },
): Promise<ExplainedCommand> {
  const { config, ids } = webhooks
  const now = webhooks.clock.now()
  const webhook = findWebhook(config.current, sample.id)
  if (webhook === undefined) {
    return checks.stop('webhook', 'refused', 'no enabled webhook has this id')
  }
  checks.pass('webhook', `${webhook.id} is enabled`)
  const signed = await checks.orRefuse('signing', () => sign(webhook, sample, now, checks))
  const { id, method = 'POST', query = '', address } = sample
  const request = { id, method, query, address, ...signed }
  const received = await checks.orRefuse('request', () =>
    deliveryOfRequest(request, { config: config.current, ids }),
  )
  const delivery: Delivery = trust === 'unchecked' ? received : { ...received, trust }
  checks.pass('request', `${method} with ${signed.body.length} bytes is accepted`)
  checkSender(webhooks, webhook, delivery, now, checks)
  await checks.orRefuse('answers', () => checkAnswers(webhook, delivery, now, checks))
  const command = await explainCommand(webhooks, webhook, delivery, checks)
  return withoutProofs(command, sample, signed.headers)
}

/** The request with the signature of its sender. Its headers may have secrets, so only their names are shown. */
function sign(
  webhook: Webhook,
  { sender, key, headers = {}, body: given }: DeliverySample,
  now: Instant,
  checks: Checks,
): { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array } {
  const { signature } = webhook
  const body = typeof given === 'string' ? new TextEncoder().encode(given) : given
  const formats = sender?.signatures ?? signature?.formats ?? []
  const secret = key ?? signature?.secrets[0]?.reveal()
  if (formats.length === 0) {
    checks.pass('signing', 'nothing is signed')
    return { headers, body }
  }
  if (formats.every(({ certificate }) => certificate !== undefined)) {
    return checks.stop(
      'signing',
      'refused',
      'only the sender can sign it: its certificate is fetched',
    )
  }
  if (secret === undefined) {
    const needs = signature === undefined ? 'the webhook checks no signature' : 'it needs a key'
    return checks.stop('signing', 'refused', `the delivery cannot be signed: ${needs}`)
  }
  const { url, audience } = signature ?? {}
  const signed = signInFormat(formats, {
    body,
    key: secret,
    now,
    ...(url === undefined ? {} : { url }),
    ...(audience === undefined ? {} : { audience }),
  })
  const names = Object.keys(signed.headers)
  const where = names.length === 0 ? 'inside of the body' : `with ${names.join(', ')}`
  checks.pass('signing', `signed by ${formats[0]?.algorithm}, ${where}`)
  return { headers: { ...headers, ...signed.headers }, body: signed.body }
}

/** Hides what was added to sign the delivery: a command may be given it, but the reader need not know it. */
function withoutProofs(
  command: ExplainedCommand,
  { headers: given = {} }: DeliverySample,
  signed: Readonly<Record<string, string>>,
): ExplainedCommand {
  const proofs = Object.entries(signed).filter(([name, value]) => given[name] !== value)
  const hide = (text: string): string =>
    proofs.reduce((left, [, value]) => left.replaceAll(value, secretMask), text)
  const { argv, variables } = command
  return {
    ...command,
    argv: argv.map(hide),
    variables: Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, hide(value)]),
    ),
  }
}

function checkSender(
  { config, logger }: WebhooksContext,
  webhook: Webhook,
  delivery: Delivery,
  now: Instant,
  checks: Checks,
): void {
  const { signature, auth } = webhook
  const found = authorizeDelivery(delivery, { config: config.current, now, logger })
  if (!(found instanceof Denial)) {
    const proof = auth === 'none' ? 'no proof is needed' : `the proof is right (auth: ${auth})`
    checks.pass('sender', proof)
    return
  }
  const verdict = signature && verifySignature(signature, delivery, now)
  const isSigned = found.code === 'invalid_signature' && verdict?.accepted === false
  const why = isSigned ? `: ${verdict.reason}` : ''
  const names = signature === undefined ? [] : signatureHeaders(signature)
  const expected = why === ': signature_missing' ? `, expected ${names.join(', ')}` : ''
  checks.stop('sender', 'refused', `${found.message}${why}${expected} (${found.code})`)
}

function checkAnswers(webhook: Webhook, delivery: Delivery, now: Instant, checks: Checks): void {
  const greeting = greetSender(webhook, delivery)
  if (greeting !== undefined) {
    checks.stop('handshake', 'answered', `a ping or challenge, answered ${greeting.status}`)
  }
  if (webhook.sender !== undefined) checks.pass('handshake', 'not a ping or challenge')
  const judged = judgedDelivery(delivery, now)
  const said = findAnswer(webhook, delivery, { now, judged })
  if (said !== undefined) {
    checks.stop('answers', 'answered', 'answered by one of `answers`, without a run')
  }
  const { dedupe, rules } = webhook
  if (dedupe !== undefined) {
    const key = readSource(dedupe.from, delivery, now)
    const isThere = key !== undefined && key !== ''
    checks.pass('dedupe', isThere ? `repeats have the key ${key}` : 'no key: repeats would run')
  }
  if (rules === undefined) return
  if (isSatisfied(rules.rule, judged)) {
    checks.pass('rules', 'satisfied')
    return
  }
  checks.stop('rules', 'answered', 'not satisfied: the delivery is skipped')
}

async function explainCommand(
  webhooks: WebhooksContext,
  webhook: Webhook,
  delivery: Delivery,
  checks: Checks,
): Promise<ExplainedCommand> {
  const now = webhooks.clock.now()
  const runId = createRunId(now, webhooks.random(10))
  const prepared = await checks.orRefuse('command', () =>
    prepareCommand(webhooks, webhook, delivery, { runId, now }),
  )
  if (prepared.problem !== undefined) checks.stop('command', 'refused', prepared.problem)
  checks.pass('command', 'has all its values')
  return describeCommand(webhook, prepared)
}

function describeCommand(webhook: Webhook, { command, files }: PreparedCommand): ExplainedCommand {
  const { program, args, workdir, env, stdin } = command
  const variables = [...webhook.env].flatMap(([name, { kind }]): (readonly [string, string])[] => {
    const value = env[name]
    return value === undefined ? [] : [[name, kind === 'text' ? secretMask : value]]
  })
  return {
    argv: [program, ...args],
    workdir,
    variables: Object.fromEntries(variables),
    files: files.map(({ env: variable, bytes }) => ({ variable, bytes: bytes.length })),
    stdin_bytes: stdin?.length ?? 0,
  }
}
