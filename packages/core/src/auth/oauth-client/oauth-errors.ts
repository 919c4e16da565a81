import type { GatehouseError } from '../../errors.ts'
import { authError } from '../errors.ts'
import type { OAuthProviderConfig, OAuthProviderType } from './oauth-provider.ts'

/** Why somebody comes back from a provider without a code. @see RFC 6749, section 4.1.2.1 */
export interface OAuthRefusal {
  readonly error: string
  readonly error_description?: string
  readonly error_uri?: string
}

/** A provider, or whoever was sent there, does not want to. */
export const oauthRefused = (type: OAuthProviderType, refusal: OAuthRefusal): GatehouseError =>
  authError('BadRequest', 'OAuthError', 'the identity provider refused', {
    ...refusal,
    provider_type: type,
  })

/** What came back from a provider makes no sense. */
export const oauthProtocolError = (message: string): GatehouseError =>
  authError('BadRequest', 'OAuthProtocolError', message)

/** A provider cannot be used as it is configured. */
export const missingCredentials = ({ alias, type }: OAuthProviderConfig): GatehouseError =>
  authError('Invalid', 'OAuthProviderMissingCredentials', 'oauth provider is missing credentials', {
    OAuthProviderAlias: alias,
    OAuthProviderType: type,
  })

/** The provider was taken away while the flow was under way. */
export const providerNotFound = (): GatehouseError =>
  authError('NotFound', 'OAuthProviderNotFound', 'oauth provider not found')
