import { sha256Hex } from '../../crypto/crypto.ts'
import { spendRate } from '../../storage/rate-limit.ts'
import type { WebhooksContext } from '../context.ts'
import { webhookError } from '../errors.ts'
import type { Webhook } from '../webhook.ts'

const longestSeconds = 60

/**
 * Takes one run from the rate limit of a webhook, if it has one. All processes that share the storage share the limit.
 *
 * @throws {GatehouseError} `rate_limited`; any error of the storage.
 */
export async function takeRate({ work, clock }: WebhooksContext, webhook: Webhook): Promise<void> {
  const { id, rate_limit } = webhook
  if (rate_limit === undefined) return
  const answer = await work.rates.decide(sha256Hex(id), spendRate(rate_limit, clock.now()))
  if (answer.allowed) return
  const seconds = Math.ceil(answer.retryAfterMs / 1_000)
  const retryAfterSeconds = Math.min(longestSeconds, Math.max(1, seconds))
  throw webhookError('rate_limited', 'too many requests', { retryAfterSeconds })
}
