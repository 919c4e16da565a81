import { errors, type ResourceServer } from 'oidc-provider'
import type { OidcSettings } from '../config/settings.ts'

/**
 * What an access token for an API is like, if the client may have one. Clients that have registered themselves may ask for every API:
 * the consent of the person decides.
 *
 * @throws {errors.InvalidTarget}
 * @see RFC 8707, section 2
 */
export function resourceServerOf(
  { resources, clients, lifetimes }: OidcSettings,
  identifier: string,
  clientId: string,
): ResourceServer {
  const resource = resources.get(identifier)
  const client = clients.get(clientId)
  if (resource === undefined || (client && !client.resources.includes(identifier))) {
    throw new errors.InvalidTarget('the client may not ask for tokens for this resource')
  }
  const isAllowed = (scope: string): boolean => client?.scopes?.includes(scope) ?? true
  return {
    audience: identifier,
    scope: resource.scopes.filter(isAllowed).join(' '),
    accessTokenFormat: 'jwt',
    accessTokenTTL: resource.accessTokenSeconds ?? lifetimes.accessTokenSeconds,
    jwt: { sign: { alg: 'ES256' } },
  }
}
