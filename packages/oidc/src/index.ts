// An authorization server on the authentication flow service.

export { oidcCollections } from './collections.ts'
export type {
  OidcClaimsRequest,
  OidcClient,
  OidcClientType,
  OidcGrantType,
  OidcLifetimes,
  OidcOptions,
  OidcResource,
  OidcScope,
  OidcSettingsOptions,
  OidcText,
} from './config/options.ts'
export { checkOidcOptions, type OidcHost, type OidcWarning } from './config/options-input.ts'
export type { ClientSettings, OidcPlace, OidcSettings } from './config/settings.ts'
export {
  type AuthorizedOidcApp,
  createOidcProvider,
  type OidcProvider,
} from './create-oidc-provider.ts'
