// Identity providers: Google, Apple, Microsoft, GitHub and others, and any OpenID Connect provider, for which it needs the package `oauth4webapi`.
export type { OAuthCredentials, OAuthDemoCredentials } from './client.ts'
export type { OAuthClientOptions } from './client-options.ts'
export { createOAuthClient } from './create-oauth-client.ts'
export type { OAuthEndpoints } from './endpoints.ts'
export type { SiteAccessOptions } from './site-access.ts'
