import type { Json } from '../../../storage/storage.ts'
import type { OAuthProviderStatus } from '../../oauth-client/oauth-client.ts'
import type { OAuthProviderConfig } from '../../oauth-client/oauth-provider.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'

/** How clients are shown a provider. The longer names are the newer ones of the protocol; clients of both are out there. */
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

/** A page has a shorter address: this one is kept, and part of another one. */
const maxUriLength = 2_000

/** What names the page that a provider sends the browser back to. */
export const redirectSchema: JsonSchema = {
  required: ['redirect_uri'],
  properties: {
    redirect_uri: { type: 'string', format: 'uri', maxLength: maxUriLength },
    response_mode: { type: 'string', enum: ['form_post', 'query'] },
  },
}
