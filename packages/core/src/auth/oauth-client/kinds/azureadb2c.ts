import { parseUrl } from '../../../http/parse-url.ts'
import { invalidConfiguration } from '../errors.ts'
import type { OpenIdKind } from '../provider-kind.ts'
import { oidc } from './oidc.ts'

/** @see https://learn.microsoft.com/azure/active-directory-b2c/openid-connect */
export const azureadb2c: OpenIdKind = {
  ...oidc,
  scopes: ['openid'],
  prompts: ['login'],
  clientAuthentications: ['client_secret_post', 'client_secret_basic'],
  asksUserInfo: false,

  endpoints(provider) {
    const { tenant, policy } = provider
    if (tenant === undefined) throw invalidConfiguration(provider, 'has no tenant')
    if (policy === undefined) throw invalidConfiguration(provider, 'has no policy')
    if (!/^[\da-z-]+$/i.test(tenant)) throw invalidConfiguration(provider, 'has an unusable tenant')
    const base = `https://${tenant}.b2clogin.com/${tenant}.onmicrosoft.com`
    return {
      discovery: `${base}/${encodeURIComponent(policy)}/v2.0/.well-known/openid-configuration`,
    }
  },

  /** The issuer contains the id of the tenant, with or without the policy. */
  isDocumentOf: (issuer, discoveryUrl) => parseUrl(issuer)?.origin === new URL(discoveryUrl).origin,

  claims(said) {
    const [first] = Array.isArray(said.emails) ? said.emails : []
    return said.email === undefined && first !== undefined ? { ...said, email: first } : said
  },
}
