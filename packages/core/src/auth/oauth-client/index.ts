export type { OAuthCredentials, OAuthDemoCredentials } from './client.ts'
export type { OAuthClientOptions } from './client-options.ts'
export { createOAuthClient } from './create-oauth-client.ts'
export type { OAuthEndpoints } from './endpoints.ts'
