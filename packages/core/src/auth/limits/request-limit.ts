import { GatehouseError } from '../../errors.ts'
import type { RequestFacts } from '../flow/view.ts'
import { type BucketPorts, takeTokens } from './rate-limit.ts'
import type { LimitCounter } from './spend-tokens.ts'

/**
 * Counts a request against the limit of its address.
 *
 * @throws {GatehouseError} `TooManyRequest`
 */
export async function checkRequestLimit(
  auth: BucketPorts & LimitCounter,
  { ip }: RequestFacts,
): Promise<void> {
  const {
    enabled,
    period_ms: periodMs,
    burst,
  } = auth.config.current.authentication_flow.rate_limits.per_ip
  if (!enabled) return
  const use = { bucket: 'AuthenticationFlowPerIP', subject: [ip], period_ms: periodMs, burst }
  const taken = await takeTokens(auth, [use])
  if (taken.ok) return
  auth.counters.limitHit(use.bucket)
  throw new GatehouseError('TooManyRequest', 'TooManyRequest', 'Reach Rate Limit', {
    info: { retryAfterSeconds: Math.ceil(taken.waitMs / 1_000) },
  })
}
