import { createTimedCache } from '../../async/timed-cache.ts'
import { systemClock } from '../../time/clock.ts'
import { authorizationUrl } from './authorization-url.ts'
import { findClient, requireClient } from './client.ts'
import { type OAuthClientOptions, readCredentials, readOptions } from './client-options.ts'
import type { OAuthContext } from './context.ts'
import { findSite } from './find-site.ts'
import { createCheckedFetch } from './http/checked-fetch.ts'
import type { Fetch } from './http/fetch.ts'
import { createNodeFetch } from './http/node-fetch.ts'
import { createProviderHttp } from './http/provider-http.ts'
import { isPublicAddress } from './http/public-address.ts'
import type { OAuthClient } from './oauth-client.ts'
import { providerKinds } from './provider-kinds.ts'
import { redeemCode } from './redeem-code.ts'

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
  const { clock = systemClock, timeoutMs = 10_000, endpoints = {} } = options
  const { allowPrivateAddresses: allowHttp = false } = options
  const http = createProviderHttp({ fetch: createFetch(options), clock, timeoutMs, allowHttp })
  return {
    clock,
    http,
    allowHttp,
    sets: readCredentials(options),
    endpoints: new Map(Object.entries(endpoints)),
    sites: createTimedCache(clock, maxSites),
    fetchKeys: async (url) => Response.json(await http.getDocument('the key set', url)),
  }
}

function createFetch({ fetch, allowPrivateAddresses = false }: OAuthClientOptions): Fetch {
  const isAllowed = allowPrivateAddresses ? () => true : isPublicAddress
  if (fetch === undefined) return createNodeFetch({ isAllowed })
  // If every address is allowed, names need not resolve here, for example behind a proxy.
  return allowPrivateAddresses ? fetch : createCheckedFetch(fetch, { isAllowed })
}
