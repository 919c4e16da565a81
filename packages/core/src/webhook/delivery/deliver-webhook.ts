import { errorText, GatehouseError, isGatehouseError } from '../../errors.ts'
import { isConflict, retryOnConflict } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { authorizeDelivery } from '../access/authorize-delivery.ts'
import { Denial, denialError } from '../access/denial.ts'
import { greetSender } from '../access/greet-sender.ts'
import { judgedDelivery } from '../access/judge-delivery.ts'
import type { Delivered } from '../board/run-handle.ts'
import type { WebhooksContext } from '../context.ts'
import { webhookError } from '../errors.ts'
import type { RejectedRequest } from '../events.ts'
import type { KeyClaim } from '../records/dedupe.ts'
import { type FilledAnswer, fillAnswer, findAnswer } from '../request/answer.ts'
import type { Delivery } from '../request/delivery.ts'
import { isSatisfied } from '../request/rule.ts'
import { openRun, shuttingDown } from '../runs/open-run.ts'
import { prepareCommand } from '../runs/prepare-command.ts'
import { createRunId } from '../runs/run-id.ts'
import type { Webhook } from '../webhook.ts'
import { deliveryKey, findRepeat } from './find-repeat.ts'
import { reportDenial, reportRejection } from './report-rejection.ts'
import { withinRate } from './take-rate.ts'
import { withCertificate } from './with-certificate.ts'

/**
 * Admits a delivery and makes its run, or throws the reason why not. When this resolves, the run is recorded, but its command may
 * not have started. In either case the hold of the delivery is released once its body is no longer held.
 *
 * @throws {GatehouseError} with the code of the answer as its `reason`; then nothing runs.
 */
export async function deliverWebhook(
  webhooks: WebhooksContext,
  delivery: Delivery,
): Promise<Delivered> {
  const received = await receiveDelivery(webhooks, await withCertificate(webhooks, delivery))
  if (received instanceof Denial) throw denialError(received)
  return received
}

/** Like {@link deliverWebhook}, but returns a {@link Denial} instead of throwing when the sender may not use the webhook. */
export function receiveDelivery(
  webhooks: WebhooksContext,
  delivery: Delivery,
): Denial | Promise<Delivered> {
  if (webhooks.isStopping()) throw refusalOf(webhooks, delivery, shuttingDown())
  const { config, logger } = webhooks
  const now = webhooks.clock.now()
  const webhook = authorizeDelivery(delivery, { config: config.current, now, logger })
  if (!(webhook instanceof Denial)) return letIn(webhooks, webhook, delivery, now)
  delivery.hold.release()
  reportDenial(webhooks, webhook, rejectedRequest(delivery))
  return webhook
}

async function letIn(
  webhooks: WebhooksContext,
  webhook: Webhook,
  delivery: Delivery,
  now: Instant,
): Promise<Delivered> {
  try {
    return await deliver(webhooks, webhook, delivery, now)
  } catch (error) {
    // Another process makes the planned run.
    if (delivery.planned !== undefined && isConflict(error)) throw error
    throw refusalOf(webhooks, delivery, error)
  }
}

/** Reports the refusal of a delivery, whose body is no longer held. */
function refusalOf(webhooks: WebhooksContext, delivery: Delivery, error: unknown): unknown {
  delivery.hold.release()
  const refusal = toRefusal(webhooks, error)
  reportRejection(webhooks, refusal, rejectedRequest(delivery))
  return refusal
}

function rejectedRequest(delivery: Delivery): Omit<RejectedRequest, 'code'> {
  const { id, requestId, clientAddress } = delivery
  return { webhook_id: id, request_id: requestId, client_ip: clientAddress ?? null }
}

/** To the client, an unavailable storage and too many conflicts are the same error. */
function toRefusal({ logger }: WebhooksContext, error: unknown): unknown {
  const isAway = isGatehouseError(error) && error.kind === 'ServiceUnavailable'
  const isOwn = isAway && (error.reason === 'shutting_down' || error.reason === 'overloaded')
  if (!isAway || isOwn) return error
  logger.error({ error: String(error) }, 'a run could not be recorded')
  const message = 'runs cannot be recorded at the moment'
  const info = { retryAfterSeconds: 1 }
  return new GatehouseError('ServiceUnavailable', 'overloaded', message, { cause: error, info })
}

async function deliver(
  webhooks: WebhooksContext,
  webhook: Webhook,
  delivery: Delivery,
  now: Instant,
): Promise<Delivered> {
  // A call of the program is no ping.
  const answer = delivery.trust === 'program' ? undefined : greetSender(webhook, delivery)
  if (answer !== undefined) {
    if (answer.visit !== undefined) await confirm(webhooks, webhook, answer.visit)
    delivery.hold.release()
    webhooks.counters.deliverySkipped(webhook.id)
    return { kind: 'greeted', webhook, answer }
  }
  // The program itself wants a run.
  const said =
    delivery.trust === 'program'
      ? undefined
      : findAnswer(webhook, delivery, { now, judged: judgedDelivery(delivery, now) })
  if (said !== undefined) {
    delivery.hold.release()
    return { kind: 'skipped', webhook, answer: said }
  }
  // A stranger must not be told of the run of another delivery.
  if (webhook.auth === 'none' && !isWanted(webhook, delivery, now)) {
    return skipped(webhooks, webhook, delivery)
  }
  const key = deliveryKey(webhook, delivery, now)
  if (key === undefined) return makeRun(webhooks, webhook, delivery, undefined)
  return webhooks.work.keyTurns(key.id, () =>
    // Another process may take the key between reading it and recording the run.
    retryOnConflict(async () => {
      const found = await findRepeat(webhooks, webhook, key)
      if ('claim' in found) return makeRun(webhooks, webhook, delivery, found.claim)
      const answer = answerOf(webhook, delivery, now)
      delivery.hold.release()
      return { kind: 'run', webhook, run: found.run, isDuplicate: true, answer }
    }),
  )
}

/** Tells a sender that its deliveries are wanted. */
async function confirm(
  { logger, work }: WebhooksContext,
  { id }: Webhook,
  url: string,
): Promise<void> {
  try {
    await work.sites.visit(url)
  } catch (error) {
    logger.warn({ webhook: id, error: errorText(error) }, 'a sender could not be confirmed')
    const info = { retryAfterSeconds: 5 }
    throw webhookError('overloaded', 'the sender cannot be confirmed at the moment', info)
  }
  logger.info({ webhook: id }, 'a sender was confirmed')
}

/** The text that answers a run of this delivery, filled in while its values are still there. */
function answerOf(
  { response }: Webhook,
  delivery: Delivery,
  now: Instant,
): FilledAnswer | undefined {
  return typeof response === 'object' ? fillAnswer(response, delivery, now) : undefined
}

/** Whether a delivery satisfies the rules. */
function isWanted({ rules }: Webhook, delivery: Delivery, now: Instant): boolean {
  return rules === undefined || isSatisfied(rules.rule, judgedDelivery(delivery, now))
}

function skipped(
  { counters }: WebhooksContext,
  webhook: Webhook,
  delivery: Delivery,
): Extract<Delivered, { kind: 'skipped' }> {
  delivery.hold.release()
  counters.deliverySkipped(webhook.id)
  return { kind: 'skipped', webhook }
}

async function makeRun(
  webhooks: WebhooksContext,
  webhook: Webhook,
  delivery: Delivery,
  claim: KeyClaim | undefined,
): Promise<Delivered> {
  const { clock, config, random } = webhooks
  const now = clock.now()
  if (!isWanted(webhook, delivery, now)) return skipped(webhooks, webhook, delivery)
  const answer = answerOf(webhook, delivery, now)
  const runId = delivery.planned?.run_id ?? createRunId(now, random(10))
  const prepared = await prepareCommand(webhooks, webhook, delivery, { runId, now })
  const { program, args } = prepared.command
  const cause = delivery.planned?.cause ?? delivery.subject
  const facts = {
    id: runId,
    webhook_id: webhook.id,
    created_at: now,
    client_ip: delivery.clientAddress ?? null,
    request_id: delivery.requestId,
    ...(config.current.history.argv ? { argv: [program, ...args] } : {}),
    ...(cause && { cause }),
  }
  // A waiting run keeps only those parts of its request that its command needs.
  const { hold, planned } = delivery
  const run = await withinRate(webhooks, webhook, (rate) =>
    openRun(webhooks, {
      webhook,
      facts,
      prepared,
      hold,
      claim,
      together: planned === undefined ? rate : [...rate, ...planned.writes],
    }),
  )
  return { kind: 'run', webhook, run, isDuplicate: false, answer }
}
