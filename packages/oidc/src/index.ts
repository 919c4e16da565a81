// An authorization server on the authentication flow service.
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
