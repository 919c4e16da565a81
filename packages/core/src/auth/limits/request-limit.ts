import { GatehouseError } from '../../errors.ts'
import type { AuthContext } from '../context.ts'
import type { RequestFacts } from '../flow/view.ts'
import { takeTokens } from './rate-limit.ts'

/**
 * Counts a request against the limit of its address.
 *
 * @throws {GatehouseError} `TooManyRequest`
 */
export async function checkRequestLimit(auth: AuthContext, { ip }: RequestFacts): Promise<void> {
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
