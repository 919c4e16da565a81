import { createTimedCache } from '../../async/timed-cache.ts'
import { authorizationUrl } from './authorization-url.ts'
import { findClient, requireClient } from './client.ts'
import { type OAuthClientOptions, readCredentials, readOptions } from './client-options.ts'
import type { OAuthContext } from './context.ts'
import { findSite } from './find-site.ts'
import type { OAuthClient } from './oauth-client.ts'
import { providerKinds } from './provider-kinds.ts'
import { redeemCode } from './redeem-code.ts'
import { createSiteAccess } from './site-access.ts'

/** The number of providers whose endpoints are cached. */
const maxSites = 100

/**
 * Creates a client for Google, Facebook, GitHub, LinkedIn, Microsoft Entra ID, Azure AD B2C, AD FS, Apple, WeChat, and any OpenID
 * Connect provider. Needs the package `oauth4webapi`, except for Facebook, GitHub and WeChat.
 *
 * Its errors contain no codes, tokens or secrets; without `allowPrivateAddresses` it connects only to public addresses.
 *
 * @throws {GatehouseError} `InvalidInput` if an option is invalid.
 */
export function createOAuthClient(options: OAuthClientOptions): OAuthClient {
  const oauth = createContext(readOptions(options))
  return Object.freeze<OAuthClient>({
    status(provider) {
      const client = findClient(provider, oauth.sets)
      if (client === undefined) return 'missing_credentials'
      return client.isDemo ? 'using_demo_credentials' : 'active'
    },

    async authorizationUrl(provider, request) {
      const kind = providerKinds[provider.type]
      const { id: clientId } = requireClient(provider, oauth.sets)
      const site = await findSite(oauth, kind, provider)
      const scopes = provider.scope_override ?? kind.scopes
      return authorizationUrl(kind, site, { ...request, clientId, scopes })
    },

    redeem: (provider, redemption) => redeemCode(oauth, provider, redemption),
  })
}

function createContext(options: OAuthClientOptions): OAuthContext {
  const site = createSiteAccess(options)
  return {
    ...site,
    sets: readCredentials(options),
    endpoints: new Map(Object.entries(options.endpoints ?? {})),
    sites: createTimedCache(site.clock, maxSites),
  }
}
