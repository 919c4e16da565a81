import { decodeInput, exactly, optional, rawText, recordOf } from '../input/decode.ts'
import type { WebhooksContext } from './context.ts'
import { deliverWebhook } from './delivery/deliver-webhook.ts'
import { deliveryOfCall } from './delivery/delivery-of-call.ts'
import type { Run } from './run.ts'
import {
  awaitRun,
  type RunOptions,
  runOptionFields,
  type SkippedDelivery,
} from './runs/await-run.ts'

/** Options of {@link triggerWebhook}. */
export interface TriggerOptions extends RunOptions {
  /** The headers that sources beginning with `header:` read (default none). */
  headers?: Readonly<Record<string, string>>
}

const decodeOptions = exactly<TriggerOptions>({
  ...runOptionFields,
  headers: optional(recordOf(rawText)),
})

/**
 * Runs the command of a webhook for the program itself, without a token or an address. A run whose command fails is not an error.
 *
 * @throws {GatehouseError} if no run could be made; its `reason` is the code that an answer would have, such as
 * `unknown_webhook`, `argument_missing`, `rate_limited`, `queue_full` or `shutting_down`.
 * @throws the reason of `signal`, if it was aborted before the call.
 * @example
 * const run = await triggerWebhook(webhooks, 'deploy', { branch: 'main' })
 * console.log(run.status)
 */
export async function triggerWebhook(
  webhooks: WebhooksContext,
  id: string,
  data?: object | null,
  given: TriggerOptions = {},
): Promise<Run | SkippedDelivery> {
  const options = decodeInput('options', decodeOptions, given)
  options.signal?.throwIfAborted()
  const { headers } = options
  const { ids } = webhooks
  const parts = { id, data, headers }
  const delivery = deliveryOfCall(parts, { trust: 'program', mayLackToken: () => true, ids })
  return awaitRun(webhooks, await deliverWebhook(webhooks, delivery), options)
}
