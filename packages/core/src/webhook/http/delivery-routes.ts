import type { Answer } from '../../http/answer.ts'
import { checkAddress } from '../access/authorize-delivery.ts'
import { Denial } from '../access/denial.ts'
import { findWebhook, mayLackToken } from '../access/find-webhook.ts'
import type { WebhooksContext } from '../context.ts'
import { receiveDelivery } from '../delivery/deliver-webhook.ts'
import { reportDenial } from '../delivery/report-rejection.ts'
import { webhookError } from '../errors.ts'
import { type AdmittedDelivery, admitEarly } from './admit-early.ts'
import { answerDelivered } from './answer-delivered.ts'
import { type Callers, createCallers } from './callers.ts'
import {
  bodyFormat,
  decodeDataBody,
  decodeDelivery,
  decodeJsonBody,
  leadingProof,
} from './decode-request.ts'
import { type DeliveryParts, type Exchange, toDelivery } from './exchange.ts'
import { checkDeclaredLength, type HeldBody, readHeldBody } from './read-held-body.ts'
import { requestToken } from './request-headers.ts'
import { checks, type Resource } from './resource.ts'
import { hasSubject, subjectMay } from './subject-access.ts'

function checkOpen(webhooks: WebhooksContext): void {
  if (webhooks.isStopping()) throw webhookError('shutting_down', 'the server is shutting down')
}

/** Reports a delivery that was refused before its whole body was read. */
function refused(
  webhooks: WebhooksContext,
  exchange: Exchange,
  id: string,
  denial: Denial,
): Denial {
  const { requestId: request_id, clientAddress: client_ip = null } = exchange
  reportDenial(webhooks, denial, { id, request_id, client_ip })
  return denial
}

/** Refuses a sender by the beginning of a body, if it contains the webhook and a token that is wrong. */
function refuseByStart(
  webhooks: WebhooksContext,
  exchange: Exchange,
  start: Uint8Array,
): Denial | undefined {
  const proof = leadingProof(start)
  if (proof === undefined) return undefined
  const known = findWebhook(webhooks.config.current, proof.id)
  if (known !== undefined) exchange.about.webhook = known.id
  const admitted = admitEarly(webhooks, exchange, proof)
  return admitted instanceof Denial ? refused(webhooks, exchange, proof.id, admitted) : undefined
}

/** Delivers a request with a complete body. Its bytes stay held until then, and are released if that fails. */
async function deliver(
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
    const received = receiveDelivery(webhooks, delivery)
    // Answers a refused sender at once.
    if (received instanceof Denial) return received
    return await answerDelivered({ webhooks, callers, exchange, delivered: await received })
  } catch (error) {
    hold.release()
    throw error
  }
}

/** `POST /webhook`: the body names the webhook and contains the token. */
async function postWebhook(
  webhooks: WebhooksContext,
  callers: Callers,
  exchange: Exchange,
): Promise<Answer | Denial> {
  checkOpen(webhooks)
  const { request } = exchange
  const { limits } = webhooks.config.current
  const isKnown = hasSubject(webhooks, exchange)
  checkDeclaredLength(request, limits.max_body_bytes)
  bodyFormat(request.headers, ['json'])
  const held = await readHeldBody(request, {
    maxBytes: limits.max_body_bytes,
    budget: webhooks.bodies,
    // A subject needs no token.
    refuse: (start) => (isKnown ? undefined : refuseByStart(webhooks, exchange, start)),
  })
  if (held instanceof Denial) return held
  return await deliver(webhooks, callers, exchange, held, (bytes) => {
    const body = decodeJsonBody(bytes, limits.json_depth)
    const { current: config } = webhooks.config
    const { id, token } = decodeDelivery(body, (id) => isKnown || mayLackToken(config, id))
    const parts = { id, token, body, trust: 'unchecked' } as const
    if (!isKnown || findWebhook(config, id) === undefined) return parts
    return subjectMay(webhooks, exchange, 'webhooks:run', id).then((may) =>
      may ? { ...parts, trust: 'authorized' } : parts,
    )
  })
}

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

/** `POST /webhook/{id}`: the whole body is data; a header or a signature identifies the sender. */
async function postWebhookData(
  webhooks: WebhooksContext,
  callers: Callers,
  exchange: Exchange,
): Promise<Answer | Denial> {
  checkOpen(webhooks)
  const { request, info, about } = exchange
  const { id = '' } = info.params
  const { limits } = webhooks.config.current
  const known = findWebhook(webhooks.config.current, id)
  if (known !== undefined) about.webhook = known.id
  const sent = requestToken(request.headers)
  const bySubject = hasSubject(webhooks, exchange)
    ? await admitSubject(webhooks, exchange, id)
    : undefined
  const admitted = bySubject ?? admitEarly(webhooks, exchange, { id, token: sent })
  if (admitted instanceof Denial) return refused(webhooks, exchange, id, admitted)
  const { webhook, token, trust } = admitted
  about.webhook = webhook.id
  const maxBytes = webhook.max_body_bytes ?? limits.max_body_bytes
  const declared = checkDeclaredLength(request, maxBytes)
  // Clients such as `curl -d ''` set a type although they send no body.
  const format = declared === 0 ? 'json' : bodyFormat(request.headers, webhook.accept)
  const held = await readHeldBody(request, { maxBytes, budget: webhooks.bodies })
  return await deliver(webhooks, callers, exchange, held, (bytes) => {
    const body = decodeDataBody(bytes, format, limits.json_depth)
    return { id, token, body, trust }
  })
}

/** The two ways to start a run. */
export function deliveryResources(webhooks: WebhooksContext): Resource[] {
  const callers = createCallers(webhooks.clock)
  return [
    {
      path: '/webhook',
      operations: {
        POST: checks('webhooks:run', (exchange) => postWebhook(webhooks, callers, exchange)),
      },
    },
    {
      path: '/webhook/:id',
      asksForToken: true,
      operations: {
        POST: checks('webhooks:run', (exchange) => postWebhookData(webhooks, callers, exchange)),
      },
    },
  ]
}
