import { decodeInput, exactly, objectOf, optional, rawText, recordOf } from '../input/decode.ts'
import { mayLackToken } from './access/find-webhook.ts'
import type { WebhooksContext } from './context.ts'
import { deliverWebhook } from './delivery/deliver-webhook.ts'
import { type CallParts, deliveryOfCall } from './delivery/delivery-of-call.ts'
import type { Run } from './run.ts'
import {
  awaitRun,
  type RunOptions,
  runOptionFields,
  type SkippedDelivery,
} from './runs/await-run.ts'

export type { RunOptions, SkippedDelivery } from './runs/await-run.ts'

/** A delivery from the program itself. */
export interface WebhookCall {
  /** The id of the webhook. */
  id: string
  /** Only needed if the webhook requires it. */
  token?: string
  /** The object that sources beginning with `data` read. */
  data?: object | null
  /** The headers that sources beginning with `header:` read (default none). */
  headers?: Readonly<Record<string, string>>
}

const decodeOptions = exactly<RunOptions>(runOptionFields)

/** The body of the call is checked like that of a request. */
const unread = (value: unknown): unknown => value

const decodeCall = objectOf<CallParts>({
  id: unread,
  token: unread,
  data: unread,
  headers: optional(recordOf(rawText)),
})

/**
 * Runs the command of a webhook for a sender with its token, as `POST /webhook` does. A run whose command fails is not an error.
 *
 * @throws {GatehouseError} if no run could be made; its `reason` is the code that an answer would have, such as
 * `invalid_request`, `unknown_webhook`, `invalid_token`, `argument_missing`, `queue_full` or `shutting_down`.
 * @throws the reason of `signal`, if it was aborted before the call.
 * @example
 * const run = await runWebhook(webhooks, { id: 'deploy', token: 'a-long-token', data: { branch: 'main' } })
 */
export async function runWebhook(
  webhooks: WebhooksContext,
  given: WebhookCall,
  how: RunOptions = {},
): Promise<Run | SkippedDelivery> {
  const options = decodeInput('options', decodeOptions, how)
  const call = decodeInput('call', decodeCall, given)
  options.signal?.throwIfAborted()
  const { ids, config } = webhooks
  const delivery = deliveryOfCall(call, {
    trust: 'unchecked',
    mayLackToken: (id) => mayLackToken(config.current, id),
    ids,
  })
  return awaitRun(webhooks, await deliverWebhook(webhooks, delivery), options)
}
