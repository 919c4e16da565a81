import type { Exchange } from './code-grant.ts'
import type { ClientAuthentication, ProviderSite } from './endpoints.ts'
import { invalidConfiguration } from './errors.ts'
import type { ProviderRequest } from './http/provider-http.ts'
import type { OAuthProviderConfig } from './oauth-provider.ts'
import type { ProviderKind } from './provider-kind.ts'

/**
 * The request that redeems a code.
 *
 * @throws {GatehouseError} `InvalidConfiguration` if the provider accepts no supported client authentication.
 * @see RFC 6749, sections 2.3.1 and 4.1.3; RFC 7636, section 4.5
 */
export function tokenRequest(
  kind: ProviderKind,
  { provider, site, grant }: Exchange,
): ProviderRequest {
  const what = 'the token endpoint'
  if (kind.tokenRequest !== undefined)
    return { what, ...kind.tokenRequest(site.token_endpoint, grant) }
  const { code, redirect_uri, code_verifier, clientId, clientSecret } = grant
  const form = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri })
  if (kind.usesPkce) form.set('code_verifier', code_verifier)
  const request = { what, url: site.token_endpoint, form }
  if (authenticationOf(kind, provider, site) === 'client_secret_basic') {
    return { ...request, headers: { authorization: basic(clientId, clientSecret) } }
  }
  form.set('client_id', clientId)
  form.set('client_secret', clientSecret)
  return request
}

function authenticationOf(
  { clientAuthentications }: ProviderKind,
  provider: OAuthProviderConfig,
  { token_endpoint_auth_methods_supported: known }: ProviderSite,
): ClientAuthentication {
  const chosen = clientAuthentications.find((way) => known === undefined || known.includes(way))
  if (chosen !== undefined) return chosen
  throw invalidConfiguration(
    provider,
    'accepts a client secret neither in the body nor in a header',
  )
}

/** Both parts are form-encoded before they are joined. */
function basic(clientId: string, clientSecret: string): string {
  const encode = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64')}`
}
