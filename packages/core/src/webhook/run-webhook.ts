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

/** What a program says to a webhook. */
export interface WebhookCall {
  /** Of the webhook. */
  id: string
  /** Only needed where the webhook asks for it. */
  token?: string
  /** Where sources that begin with `data` are found. */
  data?: object | null
  /** What sources that begin with `header:` read (default none). */
  headers?: Readonly<Record<string, string>>
}

const decodeOptions = exactly<RunOptions>(runOptionFields)

/** The body of the call is checked as that of a request is. */
const unread = (value: unknown): unknown => value

const decodeCall = objectOf<CallParts>({
  id: unread,
  token: unread,
  data: unread,
  headers: optional(recordOf(rawText)),
})

/**
 * Runs the command of a webhook for whoever has its token, as `POST /webhook` does. A run whose command fails is no error.
 *
 * @throws {GatehouseError} if no run could be made; its `reason` is the code an answer would have, as `invalid_request`,
 *   `unknown_webhook`, `invalid_token`, `argument_missing`, `queue_full` or `shutting_down`.
 * @throws whatever `signal` was aborted with, if it was before the call.
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
