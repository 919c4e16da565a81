import { createHash, timingSafeEqual } from 'node:crypto'
import type { ClientMetadata } from 'oidc-provider'
import { type ClientSettings, isStandardScope, type OidcSettings } from '../config/settings.ts'

/** The digest that stands for a client's secret wherever it is kept: the secrets are long random texts. */
export const secretDigest = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url')

/** Whether a secret is one of those with these digests. Compares in constant time. */
export function isSecretOf(digests: readonly string[], secret: string): boolean {
  const given = Buffer.from(secretDigest(secret))
  return (
    digests.filter((digest) => {
      const known = Buffer.from(digest)
      return known.length === given.length && timingSafeEqual(known, given)
    }).length > 0
  )
}

/** How a client is described to the library. @see OpenID Connect Dynamic Client Registration, section 2 */
export function clientMetadata(
  client: ClientSettings,
  { scopes: own }: Pick<OidcSettings, 'scopes'>,
): ClientMetadata {
  const [secret] = client.secrets
  // Those of APIs are restricted where the API is asked for. An empty list would allow all.
  const ofPeople = client.scopes?.filter((scope) => isStandardScope(scope) || own.has(scope))
  const usesCode = client.grantTypes.includes('authorization_code')
  return {
    client_id: client.clientId,
    client_name: client.name,
    application_type: client.type === 'native' ? 'native' : 'web',
    token_endpoint_auth_method: secret === undefined ? 'none' : 'client_secret_basic',
    ...(secret === undefined ? {} : { client_secret: secretDigest(secret) }),
    grant_types: [...client.grantTypes],
    response_types: usesCode ? ['code'] : [],
    redirect_uris: [...client.redirectUris],
    post_logout_redirect_uris: [...client.postLogoutRedirectUris],
    ...(ofPeople === undefined ? {} : { scope: ofPeople.join(' ') || 'openid' }),
    ...(client.backchannelLogoutUri === undefined
      ? {}
      : {
          backchannel_logout_uri: client.backchannelLogoutUri,
          backchannel_logout_session_required: true,
        }),
    ...(client.logoUri === undefined ? {} : { logo_uri: client.logoUri }),
    ...(client.uri === undefined ? {} : { client_uri: client.uri }),
    ...(client.policyUri === undefined ? {} : { policy_uri: client.policyUri }),
    ...(client.tosUri === undefined ? {} : { tos_uri: client.tosUri }),
    require_pushed_authorization_requests: client.requirePar,
    dpop_bound_access_tokens: client.requireDpop,
    id_token_signed_response_alg: client.idTokenAlg,
  }
}

/** The digests of the secrets of a client of the settings; `undefined` if it has registered itself. */
export const digestsOf = (
  { clients }: Pick<OidcSettings, 'clients'>,
  clientId: string,
): readonly string[] | undefined => clients.get(clientId)?.secrets.map(secretDigest)
