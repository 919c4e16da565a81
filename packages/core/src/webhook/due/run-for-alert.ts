import { decodeInput, exactly, filledText, isPlainObject } from '../../input/decode.ts'
import { refuseShown } from '../../input/refusal.ts'
import { retryOnConflict } from '../../storage/storage.ts'
import type { WebhooksContext } from '../context.ts'
import { deliverWebhook } from '../delivery/deliver-webhook.ts'
import { deliveryOfCall } from '../delivery/delivery-of-call.ts'
import { webhookError } from '../errors.ts'
import { keyCollection, keyId } from '../records/dedupe.ts'
import type { Delivery } from '../request/delivery.ts'
import { createRunId } from '../runs/run-id.ts'
import { type LoadedWebhooksConfig, refusedParts } from '../webhook.ts'

/** A run that a notification about alerts asks for. */
export interface AlertRun {
  /** The id of the webhook. */
  webhook: string
  /** The object that sources beginning with `data` read. */
  data: object
  /** The name of the receiver of the alerts. */
  receiver: string
  /** SHA-256 of the key of the alert group, in hex. */
  group_hash: string
  /** Identifies the notification: with the same key there is no second run, in any process. */
  key: string
}

const decodeAlertRun = exactly<AlertRun>({
  webhook: filledText,
  data: (value) => (isPlainObject(value) ? value : refuseShown('an object', value)),
  receiver: filledText,
  group_hash: filledText,
  key: filledText,
})

/** No attempt to send a notification takes longer. */
const keptMs = 86_400_000

/**
 * Why receivers of alerts may not run a webhook; `undefined` if they may. While a file with webhooks is refused, it may have the
 * webhook: then a receiver that names it is good, and its notifications fail.
 */
export function alertRunProblem(
  config: Pick<LoadedWebhooksConfig, 'webhooks' | 'parts'>,
  webhook: string,
): string | undefined {
  const mayCome = refusedParts(config).length > 0
  return mayCome && config.webhooks.every(({ id }) => id !== webhook)
    ? undefined
    : problemNow(config, webhook)
}

function problemNow(
  { webhooks }: Pick<LoadedWebhooksConfig, 'webhooks'>,
  webhook: string,
): string | undefined {
  const found = webhooks.find(({ id }) => id === webhook)
  if (found === undefined) return 'no webhook has this id'
  return found.on_alert ? undefined : 'the webhook must have on_alert: true'
}

/**
 * Runs a webhook for a notification about alerts. Resolves once the run is recorded. If the same notification has made a run before,
 * it makes no other one, whatever became of the first.
 *
 * @returns the id of the run; `undefined` if the rules of the webhook want none.
 * @throws {GatehouseError} if no run could be made; its `reason` is the code that an answer would have, such as
 * `unknown_webhook`, `argument_missing`, `rate_limited`, `queue_full` or `shutting_down`.
 */
export async function runForAlert(
  webhooks: WebhooksContext,
  given: AlertRun,
): Promise<string | undefined> {
  const { webhook: id, data, receiver, group_hash, key } = decodeInput('run', decodeAlertRun, given)
  const { clock, config, ids, random, storage, work } = webhooks
  const problem = problemNow(config.current, id)
  if (problem !== undefined) throw webhookError('unknown_webhook', problem)
  const how = { trust: 'program', mayLackToken: () => true, ids } as const
  const delivery = deliveryOfCall({ id, data }, how)
  checkSize(config.current, delivery)
  const record = keyId(id, `alert ${key}`)
  return retryOnConflict(async () => {
    const known = await keyCollection.get(storage, record)
    if (known !== undefined) return known.value.run_id
    const now = clock.now()
    const run_id = createRunId(now, random(10))
    const taken = { run_id, webhook: id, created_at: now }
    const planned = {
      cause: { type: 'alert', receiver, group_hash },
      run_id,
      writes: [keyCollection.write(record, taken, { if: 'absent', expiresAt: now + keptMs })],
    } as const
    const made = await deliverWebhook(webhooks, { ...delivery, planned })
    if (made.kind !== 'run') return undefined
    if (!made.isDuplicate) work.history.noteKey(id, record)
    return made.run.run_id
  })
}

/** A group may have any number of alerts. */
function checkSize({ webhooks, limits }: LoadedWebhooksConfig, { id, body }: Delivery): void {
  const most = webhooks.find((one) => one.id === id)?.max_body_bytes ?? limits.max_body_bytes
  if (new TextEncoder().encode(body.text).length <= most) return
  const message = `the data have more than ${most} bytes: set max_alerts at the receiver`
  throw webhookError('body_too_large', message)
}

/** Runs webhooks for the receivers of an alert service: its option `webhookRuns`. */
export function createWebhookRuns(webhooks: WebhooksContext): {
  problemOf(webhook: string): string | undefined
  run(request: AlertRun): Promise<string | undefined>
} {
  return {
    problemOf: (webhook) => alertRunProblem(webhooks.config.current, webhook),
    run: (request) => runForAlert(webhooks, request),
  }
}
