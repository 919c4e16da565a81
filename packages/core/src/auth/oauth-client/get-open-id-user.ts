import { isJsonObject, type Json, type JsonObject } from '../../storage/storage.ts'
import type { RedeemedCode } from './code-grant.ts'
import type { OAuthContext } from './context.ts'
import { textOf } from './json-object.ts'
import { oauthProtocolError } from './oauth-errors.ts'
import { mergeClaims } from './profile/profile.ts'
import type { OpenIdKind, SaidProfile } from './provider-kind.ts'
import { issuesIdTokens, verifyIdToken } from './verify-id-token.ts'

/**
 * Reads the user of a code from the ID token, and from the user-info endpoint if that has more.
 *
 * @throws {GatehouseError} `OAuthProtocolError`
 */
export async function getOpenIdUser(
  oauth: OAuthContext,
  kind: OpenIdKind,
  { site, grant, answer }: RedeemedCode,
): Promise<SaidProfile> {
  const { userinfo_endpoint } = site
  const idToken = textOf(answer, 'id_token')
  if (idToken === undefined || !issuesIdTokens(site)) {
    throw oauthProtocolError('the token endpoint gave no ID token (is "openid" among the scopes?)')
  }
  const claims = await verifyIdToken(oauth, kind, site, {
    idToken,
    clientId: grant.clientId,
    nonce: grant.nonce,
  })
  const accessToken = textOf(answer, 'access_token')
  const isMoreToHave =
    kind.asksUserInfo && userinfo_endpoint !== undefined && accessToken !== undefined
  const raw = isMoreToHave
    ? mergeClaims(claims, await askUserInfo(oauth, userinfo_endpoint, accessToken, claims.sub))
    : claims
  const query = new URLSearchParams(grant.query)
  return { subject: claims[kind.subject], claims: kind.claims(raw, query), raw }
}

async function askUserInfo(
  { http }: OAuthContext,
  url: string,
  accessToken: string,
  subject: Json | undefined,
): Promise<JsonObject> {
  const what = 'the user-info endpoint'
  const headers = { authorization: `Bearer ${accessToken}` }
  const { status, body } = await http.send({ what, url, headers })
  if (status !== 200 || !isJsonObject(body)) throw oauthProtocolError(`${what} answered ${status}`)
  // @see OpenID Connect Core 1.0, section 5.3.2
  if (body.sub !== subject) throw oauthProtocolError(`${what} describes another user`)
  return body
}
