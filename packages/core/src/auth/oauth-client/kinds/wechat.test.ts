import { describe, expect, it } from 'vitest'
import { testClient } from '../client.fixture.ts'
import { type FakeServer, startFakeServer } from '../fake-server.fixture.ts'
import type { OAuthProviderConfig } from '../oauth-provider.ts'

const user = {
  openid: 'open-1',
  unionid: 'union-1',
  nickname: '马雅',
  sex: 2,
  language: 'zh_CN',
  headimgurl: 'https://thirdwx.example/0',
  privilege: [],
}

async function startWeChat(): Promise<FakeServer> {
  const server = await startFakeServer()
  server.answer('/token', {
    text: JSON.stringify({ access_token: 'wx-1', openid: 'open-1', unionid: 'union-1' }),
    headers: { 'content-type': 'text/plain' },
  })
  server.answer('/user', { json: user })
  return server
}

const clientOf = ({ origin }: FakeServer, settings: Partial<OAuthProviderConfig> = {}) => {
  const endpoints = { wechat: { token: `${origin}/token`, userInfo: `${origin}/user` } }
  return testClient('wechat', { client_id: 'wx123', ...settings }, { endpoints })
}

describe('WeChat', () => {
  it('has an authorization URL with its own parameters in the required order', async () => {
    const { authorize } = testClient('wechat', { client_id: 'wx123' })
    expect((await authorize({ prompt: ['login'], response_mode: 'query' })).href).toBe(
      'https://open.weixin.qq.com/connect/qrconnect?appid=wx123' +
        '&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback&response_type=code' +
        '&scope=snsapi_login#wechat_redirect',
    )
  })

  it('has another page for other scopes', async () => {
    const scope_override = ['snsapi_base', 'snsapi_userinfo']
    const url = await testClient('wechat', { scope_override }).authorize()
    expect(url.pathname).toBe('/connect/oauth2/authorize')
    expect(url.searchParams.get('scope')).toBe('snsapi_base,snsapi_userinfo')
  })

  it('returns the user by its own requests', async () => {
    const server = await startWeChat()
    expect(await clientOf(server).redeem()).toEqual({
      subject: 'union-1',
      claims: {
        name: '马雅',
        nickname: '马雅',
        picture: 'https://thirdwx.example/0',
        gender: 'female',
        locale: 'zh-CN',
      },
      raw: user,
    })
    expect(server.requests.map(({ method, path, query }) => [method, path, `${query}`])).toEqual([
      ['GET', '/token', 'appid=wx123&secret=secret-1&code=code-1&grant_type=authorization_code'],
      ['GET', '/user', 'access_token=wx-1&openid=open-1'],
    ])
  })

  it('identifies users of a sandbox account by their openid', async () => {
    const server = await startWeChat()
    const { unionid: _, ...without } = user
    server.answer('/user', { json: without })
    const { redeem } = clientOf(server, { is_sandbox_account: true })
    expect(await redeem()).toMatchObject({ subject: 'open-1' })
    await expect(clientOf(server).redeem()).rejects.toMatchObject({
      reason: 'InvalidConfiguration',
      message: 'the identity provider "wechat" sent no unionid: is it a sandbox account?',
    })
  })

  it('is refused without an openid', async () => {
    const server = await startWeChat()
    server.answer('/token', { json: { access_token: 'wx-1', unionid: 'union-1' } })
    await expect(clientOf(server).redeem()).rejects.toMatchObject({
      reason: 'OAuthProtocolError',
      message: 'the token endpoint gave no openid',
    })
  })

  it('reports a wrong code with the status 200', async () => {
    const server = await startWeChat()
    server.answer('/token', { json: { errcode: 40029, errmsg: 'invalid code code-1, rid: 6' } })
    await expect(clientOf(server).redeem()).rejects.toMatchObject({
      reason: 'OAuthError',
      info: {
        error: '40029',
        error_description: 'invalid code <secret>, rid: 6',
        provider_type: 'wechat',
      },
    })
  })

  it.each([
    [
      { json: { errcode: 40003, errmsg: 'invalid openid' } },
      'the user endpoint answered 200 without a user',
    ],
    [{ json: user, status: 500 }, 'the user endpoint answered 500 without a user'],
    [{ json: { ...user, openid: 'open-2' } }, 'the user endpoint describes another user'],
  ])('is refused if it answers %j', async (answer, message) => {
    const server = await startWeChat()
    server.answer('/user', answer)
    await expect(clientOf(server).redeem()).rejects.toMatchObject({
      reason: 'OAuthProtocolError',
      message,
    })
  })
})
