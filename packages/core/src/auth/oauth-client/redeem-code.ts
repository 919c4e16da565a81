import { isJsonObject, type JsonObject } from '../../storage/storage.ts'
import { requireClient } from './client.ts'
import { makeClientSecret } from './client-secret.ts'
import type { Exchange } from './code-grant.ts'
import type { OAuthContext } from './context.ts'
import { findSite } from './find-site.ts'
import { getOpenIdUser } from './get-open-id-user.ts'
import { textOf } from './json-object.ts'
import type { OAuthProfile, OAuthRedemption } from './oauth-client.ts'
import { oauthProtocolError, oauthRefused } from './oauth-errors.ts'
import type { OAuthProviderConfig } from './oauth-provider.ts'
import { readProfile } from './profile/profile.ts'
import type { OpenIdKind, ProviderKind } from './provider-kind.ts'
import { providerKinds } from './provider-kinds.ts'
import { readRefusal, showRefusal } from './refusal.ts'
import { tokenRequest } from './token-request.ts'

/**
 * Redeems a code, and returns the profile of its user.
 *
 * @throws {GatehouseError} `OAuthProviderMissingCredentials`; `InvalidConfiguration`; `OAuthError` if the provider refuses;
 *   `OAuthProtocolError` if it cannot be reached, or its answer is invalid.
 */
export async function redeemCode(
  oauth: OAuthContext,
  provider: OAuthProviderConfig,
  redemption: OAuthRedemption,
): Promise<OAuthProfile> {
  const kind = providerKinds[provider.type]
  const client = requireClient(provider, oauth.sets)
  const clientSecret = await makeClientSecret(provider, client, oauth.clock)
  const site = await findSite(oauth, kind, provider)
  const exchange = { provider, site, grant: { ...redemption, clientId: client.id, clientSecret } }
  if (kind.protocol === 'openid') checkAnswerIssuer(kind, exchange)
  const answer = await exchangeCode(oauth, kind, exchange)
  if (kind.protocol === 'openid') {
    return readProfile(await getOpenIdUser(oauth, kind, { ...exchange, answer }))
  }
  const accessToken = textOf(answer, 'access_token')
  if (accessToken === undefined) throw oauthProtocolError('the token endpoint gave no access token')
  return readProfile(await kind.getUser({ ...exchange, answer, accessToken, http: oauth.http }))
}

/**
 * Prevents sending a code to a provider other than its issuer. If the issuer may be any tenant, it is not known in advance and
 * not checked.
 *
 * @see RFC 9207, section 2.4
 */
function checkAnswerIssuer(kind: OpenIdKind, { site, grant }: Exchange): void {
  if (grant.query === undefined || site.issuer === undefined) return
  const named = new URLSearchParams(grant.query).get('iss')
  const issuers = kind.issuers(site.issuer, {})
  if (named === null && site.authorization_response_iss_parameter_supported !== true) return
  if (named !== null && (issuers.includes(named) || issuers.includes(undefined))) return
  throw oauthProtocolError('the code belongs to another issuer')
}

async function exchangeCode(
  { http }: OAuthContext,
  kind: ProviderKind,
  exchange: Exchange,
): Promise<JsonObject> {
  const { status, body } = await http.send(tokenRequest(kind, exchange))
  const { readRefusal: read = readRefusal } = kind
  const refusal = isJsonObject(body) ? read(body) : undefined
  if (refusal !== undefined) {
    const { code, code_verifier, nonce, clientSecret } = exchange.grant
    const secrets = [code, code_verifier, nonce, clientSecret]
    throw oauthRefused(exchange.provider.type, showRefusal(refusal, secrets))
  }
  if (status === 200 && isJsonObject(body)) return body
  throw oauthProtocolError(`the token endpoint answered ${status} without a token`)
}
