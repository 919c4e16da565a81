import type { JsonObject } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'

/** Whether a token is for one of these audiences. @see RFC 7519, section 4.1.3 */
export const isForOneOf = (audience: readonly string[], { aud = [] }: JsonObject): boolean =>
  audience.some((name) => [aud].flat().includes(name))

/** Whether a token is valid at an instant. It must have an end. @see RFC 7519, section 4.1 */
export function isCurrent(
  { exp, nbf = 0, iat = 0 }: JsonObject,
  skewSeconds: number,
  now: Instant,
): boolean {
  const seconds = now / 1_000
  const isPast = (instant: unknown): boolean =>
    typeof instant === 'number' && instant <= seconds + skewSeconds
  return typeof exp === 'number' && exp > seconds - skewSeconds && isPast(nbf) && isPast(iat)
}
