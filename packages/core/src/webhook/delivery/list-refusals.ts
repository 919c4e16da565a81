import { decodeInput, exactly, filledText } from '../../input/decode.ts'
import { findWebhook } from '../access/find-webhook.ts'
import type { Refusal } from '../board/refusals.ts'
import type { WebhooksContext } from '../context.ts'
import { webhookError } from '../errors.ts'

const decodeQuery = exactly<{ webhook_id: string }>({ webhook_id: filledText })

/**
 * Lists the last deliveries of a webhook that this process refused, newest first: at most 20, since it started.
 *
 * @throws {GatehouseError} `InvalidInput`, `unknown_webhook`.
 * @example
 * for (const { code, about } of listRefusals(webhooks, { webhook_id: 'deploy' })) console.log(code, about)
 */
export function listRefusals(
  { config, work }: WebhooksContext,
  query: { webhook_id: string },
): readonly Refusal[] {
  const { webhook_id: id } = decodeInput('query', decodeQuery, query)
  if (findWebhook(config.current, id) === undefined) {
    throw webhookError('unknown_webhook', 'no such webhook')
  }
  return work.refusals.of(id)
}
