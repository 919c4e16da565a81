import { sha256Hex } from '../../crypto/crypto.ts'
import { isGatehouseError } from '../../errors.ts'
import { spendRate } from '../../storage/rate-limit.ts'
import { isConflict, retryOnConflict, type Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { WebhooksContext } from '../context.ts'
import { webhookError } from '../errors.ts'
import type { Webhook } from '../webhook.ts'
import { rateCollection } from './rate-limit.ts'

const maxSeconds = 60
/** Processes that share a storage may take from the same limit at once. */
const maxAttempts = 100

/** When each webhook may run again, as far as this process knows. A webhook of a new configuration starts again. */
const refusedUntil = new WeakMap<Webhook, Instant>()

function rateLimited(waitMs: number): Error {
  const seconds = Math.ceil(waitMs / 1_000)
  const retryAfterSeconds = Math.min(maxSeconds, Math.max(1, seconds))
  return webhookError('rate_limited', 'too many requests', { retryAfterSeconds })
}

function isRateConflict(error: unknown): boolean {
  return (
    isConflict(error) && isGatehouseError(error) && error.info.collection === rateCollection.name
  )
}

/**
 * Makes a run within the rate limit of its webhook. The run is taken from the limit by the commit that records it, so whatever
 * makes no run spends nothing. All processes that share the storage share the limit.
 *
 * @param make records the run in one commit with these writes.
 * @throws {GatehouseError} `rate_limited`; what `make` throws; any error of the storage.
 */
export async function withinRate<T>(
  { work, clock, storage }: Pick<WebhooksContext, 'work' | 'clock' | 'storage'>,
  webhook: Webhook,
  make: (writes: readonly Write[]) => Promise<T>,
): Promise<T> {
  const { rate_limit } = webhook
  if (rate_limit === undefined) return make([])
  const id = sha256Hex(webhook.id)
  const attempt = async (): Promise<{ readonly made: T } | { readonly failed: unknown }> => {
    const now = clock.now()
    const waitMs = (refusedUntil.get(webhook) ?? now) - now
    // A clock that was set back must not refuse for longer than a period.
    if (waitMs > 0 && waitMs <= rate_limit.per) throw rateLimited(waitMs)
    const record = await rateCollection.get(storage, id)
    const { value, expiresAt, answer } = spendRate(rate_limit, now)(
      record?.value,
      record?.expiresAt,
    )
    const expiry = expiresAt === undefined ? {} : { expiresAt }
    const precondition = { if: record?.version ?? 'absent', ...expiry } as const
    const writes =
      value === undefined || value === record?.value
        ? []
        : [rateCollection.write(id, value, precondition)]
    if (!answer.allowed) {
      // A clock that was far ahead wrote the record: it begins again now, or each refusal would begin it again.
      if (writes.length > 0) await storage.commit(writes)
      refusedUntil.set(webhook, now + answer.retryAfterMs)
      throw rateLimited(answer.retryAfterMs)
    }
    try {
      return { made: await make(writes) }
    } catch (error) {
      if (isRateConflict(error)) throw error
      // Other conflicts, such as that of a key, are not for this loop.
      return { failed: error }
    }
  }
  return work.keyTurns(`rate ${id}`, async () => {
    const result = await retryOnConflict(attempt, { attempts: maxAttempts })
    if ('failed' in result) throw result.failed
    return result.made
  })
}
