import {
  type Decode,
  decodeInput,
  exactly,
  objectOf,
  optional,
  rawText,
  recordOf,
} from '../input/decode.ts'
import { mayLackToken } from './access/find-webhook.ts'
import type { WebhooksContext } from './context.ts'
import { deliverWebhook } from './delivery/deliver-webhook.ts'
import { type CallParts, deliveryOfCall } from './delivery/delivery-of-call.ts'
import { deliveryOfRequest, idOf } from './delivery/delivery-of-request.ts'
import { invalidRequest } from './errors.ts'
import type { Delivery } from './request/delivery.ts'
import type { Run } from './run.ts'
import {
  awaitRun,
  type RunOptions,
  runOptionFields,
  type SkippedDelivery,
} from './runs/await-run.ts'

export type { RunOptions, SkippedDelivery } from './runs/await-run.ts'

/** A delivery that a program passes on: data with a token, or a request that it received. */
export interface WebhookCall {
  /** The id of the webhook. */
  id: string
  /**
   * The body of a received request, as it was sent. With it, or with `method` or `query`, the call is checked and read like a request
   * by path: signature, token, type and size of the body. It has no `token` and `data` then.
   */
  body?: Uint8Array | string
  /** The method of a received request (default `POST`). */
  method?: string
  /** The query of a received request, without its `?` (default none). */
  query?: string
  /** The address of the client that sent the request (default unknown, which `allow_ips` refuses). */
  address?: string
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

interface DecodedCall extends CallParts {
  readonly body: Uint8Array | undefined
  readonly method: string | undefined
  readonly query: string | undefined
  readonly address: string | undefined
}

const bytesOf: Decode<Uint8Array> = (value) =>
  value instanceof Uint8Array ? value : new TextEncoder().encode(rawText(value))

const decodeCall = objectOf<DecodedCall>({
  id: unread,
  token: unread,
  data: unread,
  headers: optional(recordOf(rawText)),
  body: optional(bytesOf),
  method: optional(rawText),
  query: optional(rawText),
  address: optional(rawText),
})

/**
 * Runs the command of a webhook for a sender with its token, as `POST /webhook` does, or for a request that the program received,
 * with its signature. A run whose command fails is not an error.
 *
 * @throws {GatehouseError} if no run could be made; its `reason` is the code that an answer would have, such as
 * `invalid_request`, `unknown_webhook`, `invalid_token`, `argument_missing`, `queue_full` or `shutting_down`.
 * @throws the reason of `signal`, if it was aborted before the call.
 * @example
 * const run = await runWebhook(webhooks, { id: 'deploy', token: 'a-long-token', data: { branch: 'main' } })
 * @example
 * const headers = { 'content-type': 'application/json', 'x-hub-signature-256': 'sha256=…' }
 * await runWebhook(webhooks, { id: 'on-push', body: '{"ref":"refs/heads/main"}', headers })
 */
export async function runWebhook(
  webhooks: WebhooksContext,
  given: WebhookCall,
  how: RunOptions = {},
): Promise<Run | SkippedDelivery> {
  const options = decodeInput('options', decodeOptions, how)
  const call = decodeInput('call', decodeCall, given)
  options.signal?.throwIfAborted()
  const delivery = await deliveryOf(webhooks, call)
  return awaitRun(webhooks, await deliverWebhook(webhooks, delivery), options)
}

async function deliveryOf(
  { ids, config: { current: config } }: WebhooksContext,
  call: DecodedCall,
): Promise<Delivery> {
  const { body, method, query, headers = {}, address } = call
  if (body === undefined && method === undefined && query === undefined) {
    const trust = 'unchecked'
    const delivery = deliveryOfCall(call, {
      trust,
      mayLackToken: (id) => mayLackToken(config, id),
      ids,
    })
    return { ...delivery, clientAddress: address }
  }
  for (const path of ['token', 'data'] as const) {
    if (call[path] === undefined) continue
    throw invalidRequest([{ path, problem: 'does not go with the body of a request' }])
  }
  const request = {
    id: idOf(call.id),
    body: body ?? new Uint8Array(),
    method: method ?? 'POST',
    query: query ?? '',
    headers,
    address,
  }
  return deliveryOfRequest(request, { config, ids })
}
