import { isJsonObject, type Json, type JsonObject } from '../../../storage/storage.ts'
import { invalidConfiguration } from '../errors.ts'
import { oauthProtocolError } from '../oauth-errors.ts'
import type { OAuth2Kind, UserSession } from '../provider-kind.ts'

/**
 * @see https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 * @see https://docs.github.com/rest/users/emails
 */
export const github: OAuth2Kind = {
  protocol: 'oauth2',
  scopes: ['read:user', 'user:email'],
  prompts: [],
  usesPkce: true,
  clientAuthentications: ['client_secret_post'],
  endpoints: () => ({
    authorization: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    userInfo: 'https://api.github.com/user',
    emails: 'https://api.github.com/user/emails',
  }),
  responseMode: () => undefined,

  async getUser(session) {
    const { userinfo_endpoint: userInfo, emails_endpoint: emails } = session.site
    if (userInfo === undefined || emails === undefined) {
      throw invalidConfiguration(session.provider, 'needs the endpoints userInfo and emails')
    }
    const { status, body: user } = await ask(session, 'the user endpoint', userInfo)
    if (status !== 200 || !isJsonObject(user)) {
      throw oauthProtocolError(`the user endpoint answered ${status}`)
    }
    const email = await findEmail(session, emails)
    const { login, avatar_url, html_url, blog, name } = user
    const claims = {
      preferred_username: login ?? null,
      name: name ?? null,
      picture: avatar_url ?? null,
      profile: html_url ?? null,
      website: blog ?? null,
      ...email,
    }
    return { subject: user.id, claims, raw: user }
  },
}

function ask({ http, accessToken }: UserSession, what: string, url: string) {
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${accessToken}`,
    'x-github-api-version': '2022-11-28',
  }
  return http.send({ what, url, headers })
}

/** The user's primary email address, if it is verified. The address in the profile is only the public one. */
async function findEmail(session: UserSession, url: string): Promise<JsonObject> {
  const { status, body } = await ask(session, 'the emails endpoint', url)
  // The app was not granted access to the addresses.
  if (status === 403 || status === 404) return {}
  if (status !== 200 || !Array.isArray(body)) {
    throw oauthProtocolError(`the emails endpoint answered ${status}`)
  }
  const first = body
    .filter((one: Json) => isJsonObject(one))
    .find(({ primary, verified }) => {
      return primary === true && verified === true
    })
  return first?.email === undefined ? {} : { email: first.email, email_verified: true }
}
