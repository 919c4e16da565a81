import { parseUrl } from '../../../http/parse-url.ts'
import { isJsonObject } from '../../../storage/storage.ts'
import { textOf } from '../json-object.ts'
import type { OpenIdKind } from '../provider-kind.ts'
import { oidc } from './oidc.ts'

/**
 * @see https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
 */
export const linkedin: OpenIdKind = {
  ...oidc,
  prompts: [],
  // Unconfirmed: PKCE is documented only for native apps, which use other endpoints, and ID tokens have no nonce.
  usesPkce: false,
  nonce: 'if_given',
  clientAuthentications: ['client_secret_post', 'client_secret_basic'],
  asksUserInfo: false,
  endpoints: () => ({
    issuer: 'https://www.linkedin.com/oauth',
    authorization: 'https://www.linkedin.com/oauth/v2/authorization',
    token: 'https://www.linkedin.com/oauth/v2/accessToken',
    jwks: 'https://www.linkedin.com/oauth/openid/jwks',
  }),
  responseMode: () => undefined,
  // The documentation names it without the path.
  issuers: (issuer) => [issuer, parseUrl(issuer)?.origin],

  claims(said) {
    const { locale } = said
    if (!isJsonObject(locale)) return said
    const tag = [textOf(locale, 'language'), textOf(locale, 'country')].filter(Boolean).join('-')
    return { ...said, locale: tag }
  },
}
