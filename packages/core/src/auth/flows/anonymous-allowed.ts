import type { LoadedAuthConfig } from '../config/config.ts'
import { invariantViolated } from '../errors.ts'

/** @throws {GatehouseError} `InvariantViolated` (`AnonymousUserDisallowed`) if anonymous users are not enabled. */
export function checkAnonymousAllowed({ authentication }: LoadedAuthConfig): void {
  if (authentication.identities.includes('anonymous')) return
  throw invariantViolated('AnonymousUserDisallowed', 'anonymous users are not allowed')
}
