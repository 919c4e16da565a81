import type { OpenIdKind } from '../provider-kind.ts'
import { oidc } from './oidc.ts'

/** @see https://developers.google.com/identity/openid-connect/openid-connect */
export const google: OpenIdKind = {
  ...oidc,
  prompts: ['none', 'consent', 'select_account'],
  defaultPrompt: 'select_account',
  clientAuthentications: ['client_secret_post', 'client_secret_basic'],
  asksUserInfo: false,
  endpoints: () => ({
    issuer: 'https://accounts.google.com',
    authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    jwks: 'https://www.googleapis.com/oauth2/v3/certs',
  }),
  // The issuer may lack the scheme.
  issuers: (issuer) => [issuer, issuer.replace(/^https:\/\//, '')],
}
