import { parseUrl } from '../../../http/parse-url.ts'
import { invalidConfiguration } from '../errors.ts'
import type { OpenIdKind } from '../provider-kind.ts'

const wellKnown = '/.well-known/openid-configuration'

/**
 * Any OpenID Connect provider that follows the standard. The other OpenID Connect kinds derive from it.
 *
 * @see OpenID Connect Core 1.0 and OpenID Connect Discovery 1.0
 */
export const oidc: OpenIdKind = {
  protocol: 'openid',
  scopes: ['openid', 'profile', 'email'],
  prompts: ['none', 'login', 'consent', 'select_account'],
  usesPkce: true,
  clientAuthentications: ['client_secret_basic', 'client_secret_post'],
  nonce: 'required',
  subject: 'sub',
  asksUserInfo: true,

  endpoints(provider) {
    const discovery = provider.discovery_document_endpoint
    if (discovery === undefined) {
      throw invalidConfiguration(provider, 'has no discovery_document_endpoint')
    }
    return { discovery }
  },

  responseMode: (wanted, _, known) =>
    wanted === undefined || known === undefined || known.includes(wanted) ? wanted : undefined,

  isDocumentOf(issuer, discoveryUrl) {
    const issuerUrl = parseUrl(issuer)
    if (issuerUrl === undefined) return false
    const url = new URL(discoveryUrl)
    const found = url.origin + url.pathname
    const { origin, pathname } = issuerUrl
    const path = pathname.replace(/\/$/, '')
    const places = [
      `${path}${wellKnown}`, // OpenID Connect Discovery 1.0, section 4
      `${wellKnown}${path}`, // RFC 8414, section 5
      `/.well-known/oauth-authorization-server${path}`, // RFC 8414, section 3
    ]
    return places.some((place) => origin + place === found)
  },

  issuers: (issuer) => [issuer],
  claims: (said) => said,
}
