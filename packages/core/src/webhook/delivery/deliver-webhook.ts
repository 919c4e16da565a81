import { GatehouseError, isGatehouseError } from '../../errors.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { authorizeDelivery } from '../access/authorize-delivery.ts'
import { Denial, denialError } from '../access/denial.ts'
import type { WebhooksContext } from '../context.ts'
import type { RejectedRequest } from '../events.ts'
import type { KeyClaim } from '../records/dedupe.ts'
import type { Delivery } from '../request/delivery.ts'
import { isSatisfied } from '../request/rule.ts'
import { readSource } from '../request/source.ts'
import { openRun, shuttingDown } from '../runs/open-run.ts'
import { prepareCommand } from '../runs/prepare-command.ts'
import type { Delivered } from '../runs/run-handle.ts'
import { createRunId } from '../runs/run-id.ts'
import type { Webhook } from '../webhook.ts'
import { deliveryKey, findRepeat } from './find-repeat.ts'
import { reportDenial, reportRejection } from './report-rejection.ts'
import { takeRate } from './take-rate.ts'

/**
 * Lets a delivery in and makes its run, or says by an error why not. The run is recorded when this resolves, and its command may
 * not have been started yet. In either case it releases the hold of the delivery once its body is no longer held.
 *
 * @throws {GatehouseError} with the code of the answer as its `reason`, and then nothing runs.
 */
export async function deliverWebhook(
  webhooks: WebhooksContext,
  delivery: Delivery,
): Promise<Delivered> {
  const received = await receiveDelivery(webhooks, delivery)
  if (received instanceof Denial) throw denialError(received)
  return received
}

/** {@link deliverWebhook} for whoever answers a sender that may not use the webhook at once: its {@link Denial} is no error here. */
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
    throw refusalOf(webhooks, delivery, error)
  }
}

/** What a delivery is refused with, which is reported; its body is no longer held. */
function refusalOf(webhooks: WebhooksContext, delivery: Delivery, error: unknown): unknown {
  delivery.hold.release()
  const refusal = toRefusal(webhooks, error)
  reportRejection(webhooks, refusal, rejectedRequest(delivery))
  return refusal
}

function rejectedRequest(delivery: Delivery): Omit<RejectedRequest, 'code'> {
  const { id, requestId, clientAddress } = delivery
  return { id, request_id: requestId, client_ip: clientAddress ?? null }
}

/** That the storage cannot be reached, or too many want one record of it, is for the client one and the same. */
function toRefusal({ logger }: WebhooksContext, error: unknown): unknown {
  const isAway = isGatehouseError(error) && error.kind === 'ServiceUnavailable'
  if (!isAway || error.reason === 'shutting_down') return error
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
  await takeRate(webhooks, webhook)
  const key = deliveryKey(webhook, delivery, now)
  if (key === undefined) return makeRun(webhooks, webhook, delivery, undefined)
  return webhooks.work.keyTurns(key.id, () =>
    // Another process may take the key between the look at it and the record of the run.
    retryOnConflict(async () => {
      const found = await findRepeat(webhooks, webhook, key)
      if ('claim' in found) return makeRun(webhooks, webhook, delivery, found.claim)
      delivery.hold.release()
      return { kind: 'run', webhook, run: found.run, isDuplicate: true }
    }),
  )
}

async function makeRun(
  webhooks: WebhooksContext,
  webhook: Webhook,
  delivery: Delivery,
  claim: KeyClaim | undefined,
): Promise<Delivered> {
  const { clock, config, random } = webhooks
  const now = clock.now()
  const { rules } = webhook
  if (rules !== undefined && !isSatisfied(rules.rule, (from) => readSource(from, delivery, now))) {
    delivery.hold.release()
    return { kind: 'skipped', webhook }
  }
  const runId = createRunId(now, random(10))
  const prepared = await prepareCommand(webhooks, webhook, delivery, { runId, now })
  const { program, args } = prepared.command
  const facts = {
    run_id: runId,
    id: webhook.id,
    created_at: now,
    client_ip: delivery.clientAddress ?? null,
    request_id: delivery.requestId,
    ...(config.current.history.argv ? { argv: [program, ...args] } : {}),
  }
  // A run that waits holds no more of its request than its command needs.
  const { hold } = delivery
  const run = await openRun(webhooks, { webhook, facts, prepared, hold, claim })
  return { kind: 'run', webhook, run, isDuplicate: false }
}
