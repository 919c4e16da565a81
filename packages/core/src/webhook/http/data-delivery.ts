import type { Answer } from '../../http/answer.ts'
import { checkAddress, noWebhook } from '../access/authorize-delivery.ts'
import { Denial } from '../access/denial.ts'
import { findWebhook, type PathTarget } from '../access/find-webhook.ts'
import { greetStranger } from '../access/greet-sender.ts'
import type { WebhooksContext } from '../context.ts'
import { bodyFormat, type DecodedBody, decodeDataBody } from '../delivery/data-body.ts'
import { receiveDelivery } from '../delivery/deliver-webhook.ts'
import { reportDenial } from '../delivery/report-rejection.ts'
import { requestToken, sentToken } from '../delivery/request-headers.ts'
import { withCertificate } from '../delivery/with-certificate.ts'
import { webhookError } from '../errors.ts'
import { deliveryMethods, type Webhook } from '../webhook.ts'
import { type AdmittedDelivery, admitEarly } from './admit-early.ts'
import { answerDelivered } from './answer-delivered.ts'
import type { Callers } from './callers.ts'
import { type DeliveryParts, type Exchange, toDelivery } from './exchange.ts'
import { checkDeclaredLength, type HeldBody, readHeldBody } from './read-held-body.ts'
import { greetingAnswer } from './run-answer.ts'
import { hasSubject, subjectMay } from './subject-access.ts'

/** @throws {GatehouseError} `shutting_down` */
export function checkOpen(webhooks: WebhooksContext): void {
  if (webhooks.isStopping()) throw webhookError('shutting_down', 'the server is shutting down')
}

/** Reports a delivery that was refused before its whole body was read. */
export function refused(
  webhooks: WebhooksContext,
  exchange: Exchange,
  id: string,
  denial: Denial,
): Denial {
  const { requestId: request_id, clientAddress: client_ip = null } = exchange
  reportDenial(webhooks, denial, { webhook_id: id, request_id, client_ip })
  return denial
}

/** Delivers a request with a complete body. Its bytes stay held until then, and are released if that fails. */
export async function deliver(
  webhooks: WebhooksContext,
  callers: Callers,
  exchange: Exchange,
  body: HeldBody,
  decode: (bytes: Uint8Array) => DeliveryParts | Promise<DeliveryParts>,
): Promise<Answer | Denial> {
  const { bytes: rawBody, hold } = body
  try {
    const decoded = decode(rawBody)
    const parts = decoded instanceof Promise ? await decoded : decoded
    const delivery = toDelivery(exchange, parts, { rawBody, hold })
    const known = findWebhook(webhooks.config.current, delivery.id)
    if (known !== undefined) exchange.about.webhook = known.id
    const proven = withCertificate(webhooks, delivery)
    const received = receiveDelivery(webhooks, proven instanceof Promise ? await proven : proven)
    // Answers a refused sender at once.
    if (received instanceof Denial) return received
    return await answerDelivered({ webhooks, callers, exchange, delivered: await received })
  } catch (error) {
    hold.release()
    throw error
  }
}

/** Methods whose requests have no body; their query is the data. */
const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD'])

const noBody: Uint8Array = new Uint8Array(0)

/** Admits a subject that may run the webhook; `undefined` if its sender needs a token or a signature. */
async function admitSubject(
  webhooks: WebhooksContext,
  exchange: Exchange,
  id: string,
): Promise<AdmittedDelivery | Denial | undefined> {
  const webhook = findWebhook(webhooks.config.current, id)
  if (webhook === undefined) return undefined
  exchange.about.webhook = webhook.id
  if (!(await subjectMay(webhooks, exchange, 'webhooks:run', id))) return undefined
  return checkAddress(webhook, exchange) ?? { webhook, token: undefined, trust: 'authorized' }
}

/**
 * The webhook of a request that names it by path; a denial if its method is not one of the webhook's, where that would show that
 * the webhook exists.
 *
 * @throws {GatehouseError} `method_not_allowed`, with the methods in `info.allow`.
 */
function targeted(
  { config: { current: config } }: WebhooksContext,
  { request, about }: Exchange,
  { id, webhooks: sharing }: PathTarget,
): string | Denial {
  const webhook = sharing.find(({ methods }) => methods.some((one) => one === request.method))
  const known = webhook ?? sharing[0]
  if (known !== undefined) about.webhook = known.id
  if (webhook !== undefined) return webhook.id
  if (config.hide_ids) return noWebhook(config, requestToken(request.headers))
  if (sharing.length === 0 && request.method === 'POST') return id
  const methods = new Set<string>(sharing.flatMap((one) => one.methods))
  const allow = deliveryMethods.filter((one) => methods.has(one)).join(', ') || 'POST'
  const message = `${request.method} is not allowed here, use ${allow}`
  throw webhookError('method_not_allowed', message, { allow })
}

/** Answers a request that only asks for a webhook, before its sender has delivered anything; `undefined` for others. */
function answerStranger(exchange: Exchange, { webhooks }: PathTarget): Answer | undefined {
  const { request, info, about } = exchange
  for (const webhook of webhooks) {
    if (checkAddress(webhook, exchange) !== undefined) continue
    const answer = greetStranger(webhook, {
      method: request.method,
      header: (name) => request.headers.get(name) ?? undefined,
      query: (name) => new URLSearchParams(info.query).get(name) ?? undefined,
    })
    if (answer === undefined) continue
    about.webhook = webhook.id
    about.state = 'skipped'
    return greetingAnswer(webhook, answer)
  }
  return undefined
}

/** Answers a request that names its webhook by path: its body, or its query, is the data, and a header or a signature identifies the sender. */
export async function answerData(
  webhooks: WebhooksContext,
  callers: Callers,
  exchange: Exchange,
  target: PathTarget,
): Promise<Answer | Denial> {
  checkOpen(webhooks)
  const { request, about } = exchange
  const greeting = answerStranger(exchange, target)
  if (greeting !== undefined) return greeting
  const id = targeted(webhooks, exchange, target)
  if (id instanceof Denial) return refused(webhooks, exchange, target.id, id)
  const isQuery = withoutBody.has(request.method)
  // A link on any page makes a browser send a GET, with the reader's password or cookie.
  const bySubject =
    hasSubject(webhooks, exchange) && !isQuery
      ? await admitSubject(webhooks, exchange, id)
      : undefined
  const place = findWebhook(webhooks.config.current, id)?.token_in
  const sent = sentToken(request, exchange.info.query, place)
  const inPath = place?.kind === 'path' ? target.token : undefined
  const sentBy = { id, token: inPath || sent.token }
  const admitted = bySubject ?? admitEarly(webhooks, exchange, sentBy)
  if (admitted instanceof Denial) return refused(webhooks, exchange, id, admitted)
  const { webhook, token, trust } = admitted
  about.webhook = webhook.id
  const { format, held } = isQuery
    ? queryBody(webhooks)
    : await readData(webhooks, exchange, webhook)
  const { json_depth: maxDepth } = webhooks.config.current.limits
  const contentType = request.headers.get('content-type') ?? ''
  return await deliver(webhooks, callers, exchange, held, (received) => {
    const bytes = isQuery ? Buffer.from(sent.query) : received
    const decoded = decodeDataBody({ bytes, format, contentType }, webhook, maxDepth)
    const given = { id, token, trust, search: sent.query, place }
    const partsOf = (decoded: DecodedBody): DeliveryParts => ({ ...given, ...decoded })
    return decoded instanceof Promise ? decoded.then(partsOf) : partsOf(decoded)
  })
}

/** A body in its format. */
interface DataBody {
  readonly format: ReturnType<typeof bodyFormat>
  readonly held: HeldBody
}

/** The empty body of a request whose query is its data. */
const queryBody = ({ bodies }: WebhooksContext): DataBody => ({
  format: 'form',
  held: { bytes: noBody, hold: bodies.open() },
})

/** Reads the body of a delivery to this webhook. */
async function readData(
  { config, bodies: budget }: WebhooksContext,
  { request }: Exchange,
  webhook: Webhook,
): Promise<DataBody> {
  const maxBytes = webhook.max_body_bytes ?? config.current.limits.max_body_bytes
  const declared = checkDeclaredLength(request, maxBytes)
  // Clients such as `curl -d ''` set a type although they send no body.
  const format = declared === 0 ? 'json' : bodyFormat(request.headers, webhook.accept)
  return { format, held: await readHeldBody(request, { maxBytes, budget }) }
}
