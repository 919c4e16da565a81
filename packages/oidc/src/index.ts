// An authorization server on the authentication flow service.

export { oidcCollections } from './collections.ts'
export {
  type OidcClaimsRequest,
  type OidcClient,
  type OidcClientType,
  type OidcGrantType,
  type OidcLifetimes,
  type OidcOptions,
  type OidcResource,
  type OidcScope,
  type OidcSettingsOptions,
  type OidcText,
  oidcChoices,
} from './config/options.ts'
export { checkOidcOptions, type OidcHost, type OidcWarning } from './config/options-input.ts'
export {
  type ClientSettings,
  type OidcDefaults,
  type OidcPlace,
  type OidcSettings,
  oidcDefaults,
  type StandardScope,
  standardScopes,
} from './config/settings.ts'
export {
  type AuthorizedOidcApp,
  createOidcProvider,
  type OidcProvider,
} from './create-oidc-provider.ts'
