import type { AuthContext } from '@gatehouse/core'
import { type BucketUse, clientNetwork, rateLimited, takeTokens } from '@gatehouse/core/auth'

/** The name of a limit. */
export type LimitName =
  | 'token'
  | 'par'
  | 'device_authorization'
  | 'device'
  | 'register'
  | 'client_document'

/** The endpoints that are limited by the network of the sender, and how much each may be used. */
const limits: Readonly<Record<LimitName, Pick<BucketUse, 'period_ms' | 'burst'>>> = {
  /** Machines refresh many tokens from one address. */
  token: { period_ms: 60_000, burst: 600 },
  par: { period_ms: 60_000, burst: 600 },
  device_authorization: { period_ms: 60_000, burst: 60 },
  /** A code of a device has few characters, so it must not be guessed. @see RFC 8628, section 5.1 */
  device: { period_ms: 60_000, burst: 20 },
  register: { period_ms: 3_600_000, burst: 30 },
  client_document: { period_ms: 60_000, burst: 30 },
}

/**
 * Counts a request.
 *
 * @throws {GatehouseError} `RateLimited`
 */
export async function countRequest(
  auth: AuthContext,
  name: LimitName,
  address: string | undefined,
): Promise<void> {
  const subject = [clientNetwork(address ?? '')]
  const use: BucketUse = { bucket: `Oidc:${name}`, subject, ...limits[name] }
  const taken = await takeTokens(auth, [use])
  if (taken.ok) return
  auth.counters.limitHit(use.bucket)
  throw rateLimited(use, taken.waitMs)
}
