import { isJsonObject, type JsonObject } from '../../../storage/storage.ts'
import { invalidConfiguration } from '../errors.ts'
import { textOf } from '../json-object.ts'
import { type OAuthRefusal, oauthProtocolError } from '../oauth-errors.ts'
import type { OAuth2Kind } from '../provider-kind.ts'
import { makeRefusal } from '../refusal.ts'

const api = 'https://api.weixin.qq.com/sns'
const pages = 'https://open.weixin.qq.com/connect'
const qrCode = 'snsapi_login'

/**
 * WeChat. Its authorization URL ends in a fragment; a `state` belongs before it. Test accounts (`is_sandbox_account`) do not
 * support the page with a QR code: they need `scope_override: [snsapi_userinfo]`, which leads to the page inside WeChat.
 *
 * @see https://developers.weixin.qq.com/doc/oplatform/Website_App/WeChat_Login/Wechat_Login.html
 */
export const wechat: OAuth2Kind = {
  protocol: 'oauth2',
  scopes: [qrCode],
  prompts: [],
  usesPkce: false,
  clientAuthentications: [],

  endpoints: ({ scope_override: scopes = [qrCode] }) => ({
    authorization: `${pages}/${scopes.includes(qrCode) ? 'qrconnect' : 'oauth2/authorize'}`,
    token: `${api}/oauth2/access_token`,
    userInfo: `${api}/userinfo`,
  }),

  responseMode: () => undefined,

  /** Its pages require the parameters in alphabetical order. */
  finishAuthorizationUrl(url) {
    const { searchParams: parameters } = url
    parameters.set('appid', parameters.get('client_id') ?? '')
    parameters.delete('client_id')
    parameters.set('scope', (parameters.get('scope') ?? '').replaceAll(' ', ','))
    url.hash = 'wechat_redirect'
  },

  tokenRequest(endpoint, { code, clientId, clientSecret }) {
    const url = new URL(endpoint)
    url.searchParams.set('appid', clientId)
    url.searchParams.set('secret', clientSecret)
    url.searchParams.set('code', code)
    url.searchParams.set('grant_type', 'authorization_code')
    return { url: url.href }
  },

  readRefusal,

  async getUser({ http, provider, site, accessToken, answer }) {
    if (site.userinfo_endpoint === undefined) {
      throw invalidConfiguration(provider, 'needs the endpoint userInfo')
    }
    const openid = textOf(answer, 'openid')
    if (openid === undefined) throw oauthProtocolError('the token endpoint gave no openid')
    const url = new URL(site.userinfo_endpoint)
    url.searchParams.set('access_token', accessToken)
    url.searchParams.set('openid', openid)
    const { status, body: user } = await http.send({ what: 'the user endpoint', url: url.href })
    if (status !== 200 || !isJsonObject(user) || readRefusal(user) !== undefined) {
      throw oauthProtocolError(`the user endpoint answered ${status} without a user`)
    }
    const { is_sandbox_account: isSandbox } = provider
    if (user.openid !== openid) {
      throw oauthProtocolError('the user endpoint describes another user')
    }
    if (!isSandbox && user.unionid === undefined) {
      throw invalidConfiguration(provider, 'sent no unionid: is it a sandbox account?')
    }
    return { subject: isSandbox ? user.openid : user.unionid, claims: claimsOf(user), raw: user }
  },
}

const genders: ReadonlyMap<unknown, string> = new Map([
  [1, 'male'],
  [2, 'female'],
])

function claimsOf({ nickname, headimgurl, language, sex }: JsonObject): JsonObject {
  return {
    name: nickname ?? null,
    nickname: nickname ?? null,
    picture: headimgurl ?? null,
    // For example zh_CN.
    locale: typeof language === 'string' ? language.replace('_', '-') : null,
    gender: genders.get(sex) ?? null,
  }
}

/** Its errors have numbers, and the status 200. */
function readRefusal(answer: JsonObject): OAuthRefusal | undefined {
  const { errcode } = answer
  if (typeof errcode !== 'number' || errcode === 0) return undefined
  return makeRefusal(String(errcode), textOf(answer, 'errmsg'))
}
