import type { OAuthClient } from '../auth/oauth-client/oauth-client.ts'
import { systemClock } from '../time/clock.ts'
import { authorizationUrl } from './authorization-url.ts'
import { findClient, requireClient } from './client.ts'
import { type OAuthClientOptions, readCredentials, readOptions } from './client-options.ts'
import type { OAuthContext } from './context.ts'
import { createFetchTransport } from './fetch-transport.ts'
import { findSite } from './find-site.ts'
import { createHostCheck } from './host-check.ts'
import { createNodeTransport } from './node-transport.ts'
import { createProviderHttp } from './provider-http.ts'
import { providerKinds } from './provider-kinds.ts'
import { isPublicAddress } from './public-address.ts'
import { redeemCode } from './redeem-code.ts'
import { createTimedCache } from './timed-cache.ts'
import type { Transport } from './transport.ts'

/** Documents that are kept; a provider has two. */
const maxDocuments = 200

/**
 * Speaks to Google, Facebook, GitHub, LinkedIn, Microsoft Entra ID, Azure AD B2C, AD FS, Apple, WeChat, and whoever else speaks OpenID
 * Connect. Needs the package `jose`, but for Facebook, GitHub and WeChat.
 *
 * Its errors hold no code, no token and no secret; its requests go to the internet alone, unless `allowPrivateAddresses`.
 *
 * @throws {GatehouseError} `InvalidInput` if an option does not fit.
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
  const transport = createTransport(options)
  return {
    clock,
    http: createProviderHttp({ transport, clock, timeoutMs, allowHttp }),
    allowHttp,
    sets: readCredentials(options),
    endpoints: new Map(Object.entries(endpoints)),
    documents: createTimedCache(clock, maxDocuments),
  }
}

function createTransport({ fetch, allowPrivateAddresses = false }: OAuthClientOptions): Transport {
  const isAllowed = allowPrivateAddresses ? () => true : isPublicAddress
  if (fetch === undefined) return createNodeTransport({ isAllowed })
  // Where every address will do, the name need not be known here, as behind a proxy.
  const checkHost = allowPrivateAddresses ? async () => undefined : createHostCheck({ isAllowed })
  return createFetchTransport(fetch, checkHost)
}
