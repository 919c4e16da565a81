import type { Json } from '../../../storage/storage.ts'
import type { OAuthProviderStatus } from '../../oauth-client/oauth-client.ts'
import type { OAuthProviderConfig } from '../../oauth-client/oauth-provider.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'

/** The members of a provider in options. The protocol has renamed some, so both names are sent for clients of both versions. */
export function providerMembers(
  { type, alias, app_type }: OAuthProviderConfig,
  status: OAuthProviderStatus,
): { readonly [name: string]: Json } {
  return {
    oauth_provider_type: type,
    oauth_provider_alias: alias,
    provider_type: type,
    alias,
    provider_status: status,
    ...(type === 'wechat' && app_type !== undefined ? { wechat_app_type: app_type } : {}),
  }
}

/** Redirect URIs are shorter than this; it is stored, and becomes part of the authorization URL. */
const maxUriLength = 2_000

/** The schema of a redirect URI. */
export const redirectSchema: JsonSchema = {
  required: ['redirect_uri'],
  properties: {
    redirect_uri: { type: 'string', format: 'uri', maxLength: maxUriLength },
    response_mode: { type: 'string', enum: ['form_post', 'query'] },
  },
}
