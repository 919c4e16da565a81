import type { GatehouseError } from '../../errors.ts'
import { authError } from '../errors.ts'
import type { OAuthProviderConfig, OAuthProviderType } from './oauth-provider.ts'

/** Why a provider returned no code. @see RFC 6749, section 4.1.2.1 */
export interface OAuthRefusal {
  readonly error: string
  readonly error_description?: string
  readonly error_uri?: string
}

/** The provider or the user refused. */
export const oauthRefused = (type: OAuthProviderType, refusal: OAuthRefusal): GatehouseError =>
  authError('BadRequest', 'OAuthError', 'the identity provider refused', {
    ...refusal,
    provider_type: type,
  })

/** The answer of a provider is invalid. */
export const oauthProtocolError = (message: string): GatehouseError =>
  authError('BadRequest', 'OAuthProtocolError', message)

/** A provider lacks credentials. */
export const missingCredentials = ({ alias, type }: OAuthProviderConfig): GatehouseError =>
  authError('Invalid', 'OAuthProviderMissingCredentials', 'oauth provider is missing credentials', {
    OAuthProviderAlias: alias,
    OAuthProviderType: type,
  })

/** The provider was removed from the configuration during the flow. */
export const providerNotFound = (): GatehouseError =>
  authError('NotFound', 'OAuthProviderNotFound', 'oauth provider not found')
