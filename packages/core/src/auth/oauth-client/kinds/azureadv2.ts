import { invalidConfiguration } from '../errors.ts'
import { textOf } from '../json-object.ts'
import type { OpenIdKind } from '../provider-kind.ts'
import { oidc } from './oidc.ts'

const guid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
/** Stands for the tenant in the issuer of `common` and `organizations`, which accept users of any tenant. */
const anyTenant = '{tenantid}'

/**
 * Microsoft Entra ID, formerly Azure AD.
 *
 * @see https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc
 */
export const azureadv2: OpenIdKind = {
  ...oidc,
  prompts: ['none', 'login', 'consent', 'select_account'],
  clientAuthentications: ['client_secret_post', 'client_secret_basic'],
  // `sub` differs for each application.
  subject: 'oid',
  asksUserInfo: false,

  endpoints(provider) {
    const { tenant } = provider
    if (tenant === undefined) throw invalidConfiguration(provider, 'has no tenant')
    if (!/^[\w.-]+$/.test(tenant)) throw invalidConfiguration(provider, 'has an unusable tenant')
    return {
      discovery: `https://login.microsoftonline.com/${tenant}/v2.0/.well-known/openid-configuration`,
    }
  },

  /** The tenant of the document URL may be a name or an alias; that of its issuer is an id, or the placeholder for any. */
  isDocumentOf(issuer, discoveryUrl) {
    const [, origin, tenant = ''] = /^(https?:\/\/[^/]+)\/([^/]+)\/v2\.0$/.exec(issuer) ?? []
    const isTenant = guid.test(tenant) || tenant === anyTenant
    return origin === new URL(discoveryUrl).origin && isTenant
  },

  issuers(issuer, claims) {
    const tenant = textOf(claims, 'tid') ?? ''
    return [guid.test(tenant) ? issuer.replace(anyTenant, tenant) : undefined]
  },

  /** Whether the tenant owns the domain of an email address is known only if an optional claim is configured. */
  claims(said) {
    const { xms_edov: isOfDomain } = said
    return isOfDomain === undefined
      ? said
      : { ...said, email_verified: [true, 1, '1', 'true'].some((yes) => yes === isOfDomain) }
  },
}
