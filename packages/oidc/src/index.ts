// An authorization server on the authentication flow service.

export { oidcCollections } from './collections.ts'
export {
  type AuthorizedOidcApp,
  createOidcProvider,
  type OidcProvider,
} from './create-oidc-provider.ts'
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
} from './options.ts'
export { checkOidcOptions, type OidcHost, type OidcWarning } from './options-input.ts'
export type { ClientSettings, OidcPlace, OidcSettings } from './settings.ts'
