import { hmacSha256 } from '../../../crypto/crypto.ts'
import { isJsonObject, type JsonObject } from '../../../storage/storage.ts'
import { invalidConfiguration } from '../errors.ts'
import { textOf } from '../json-object.ts'
import { type OAuthRefusal, oauthProtocolError } from '../oauth-errors.ts'
import type { OAuth2Kind } from '../provider-kind.ts'
import { makeRefusal } from '../refusal.ts'

const version = 'v23.0'
const fields = 'id,email,name,first_name,middle_name,last_name,picture'

/**
 * @see https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow
 * @see https://developers.facebook.com/docs/graph-api/guides/secure-requests
 */
export const facebook: OAuth2Kind = {
  protocol: 'oauth2',
  scopes: ['email', 'public_profile'],
  prompts: [],
  usesPkce: true,
  clientAuthentications: ['client_secret_post'],
  endpoints: () => ({
    authorization: `https://www.facebook.com/${version}/dialog/oauth`,
    token: `https://graph.facebook.com/${version}/oauth/access_token`,
    userInfo: `https://graph.facebook.com/${version}/me`,
  }),
  responseMode: () => undefined,
  readRefusal,

  async getUser({ http, provider, site, grant, accessToken }) {
    if (site.userinfo_endpoint === undefined) {
      throw invalidConfiguration(provider, 'needs the endpoint userInfo')
    }
    const url = new URL(site.userinfo_endpoint)
    url.searchParams.set('fields', fields)
    // Proves that the holder of the token also has the secret of the app.
    const proof = hmacSha256(grant.clientSecret, accessToken).toString('hex')
    url.searchParams.set('appsecret_proof', proof)
    const { status, body: user } = await http.send({
      what: 'the user endpoint',
      url: url.href,
      headers: { authorization: `Bearer ${accessToken}` },
    })
    if (status !== 200 || !isJsonObject(user)) {
      throw oauthProtocolError(`the user endpoint answered ${status}`)
    }
    return { subject: user.id, claims: claimsOf(user), raw: user }
  },
}

function claimsOf({
  first_name,
  middle_name,
  last_name,
  email,
  name,
  picture,
}: JsonObject): JsonObject {
  const data = isJsonObject(picture) ? picture.data : undefined
  return {
    email: email ?? null,
    name: name ?? null,
    given_name: first_name ?? null,
    middle_name: middle_name ?? null,
    family_name: last_name ?? null,
    picture: (isJsonObject(data) ? data.url : undefined) ?? null,
  }
}

/** Its errors are objects. */
function readRefusal({ error }: JsonObject): OAuthRefusal | undefined {
  if (!isJsonObject(error)) return undefined
  return makeRefusal(textOf(error, 'type') ?? 'error', textOf(error, 'message'))
}
