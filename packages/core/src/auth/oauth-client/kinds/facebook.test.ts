import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { testClient } from '../client.fixture.ts'
import { type FakeServer, startFakeServer } from '../fake-server.fixture.ts'

const user = {
  id: '10158',
  name: 'Maya J Quill',
  first_name: 'Maya',
  middle_name: 'J',
  last_name: 'Quill',
  email: 'maya@harborlight.example',
  picture: { data: { height: 50, is_silhouette: false, url: 'https://pictures.example/m.jpg' } },
}

async function startFacebook(): Promise<FakeServer> {
  const server = await startFakeServer()
  server.answer('/token', { json: { access_token: 'EAAB1', token_type: 'bearer' } })
  server.answer('/me', { json: user })
  return server
}

const clientOf = ({ origin }: FakeServer) => {
  const endpoints = { facebook: { token: `${origin}/token`, userInfo: `${origin}/me` } }
  return testClient('facebook', {}, { endpoints })
}

describe('Facebook', () => {
  it('has an authorization URL', async () => {
    const url = await testClient('facebook').authorize({ response_mode: 'form_post' })
    expect(url.href).toMatch(
      /^https:\/\/www\.facebook\.com\/v\d+\.0\/dialog\/oauth\?client_id=client-1&/,
    )
    expect(url.searchParams.get('scope')).toBe('email public_profile')
    expect(url.searchParams.get('code_challenge_method')).toBe('S256')
    expect(url.searchParams.has('nonce') || url.searchParams.has('response_mode')).toBe(false)
  })

  it('returns the user if the app proves that it has its secret', async () => {
    const server = await startFacebook()
    expect(await clientOf(server).redeem()).toEqual({
      subject: '10158',
      claims: {
        email: 'maya@harborlight.example',
        name: 'Maya J Quill',
        given_name: 'Maya',
        middle_name: 'J',
        family_name: 'Quill',
        picture: 'https://pictures.example/m.jpg',
      },
      raw: user,
    })
    const [token, me] = server.requests
    expect(token).toMatchObject({ method: 'POST', path: '/token' })
    expect(me).toMatchObject({ method: 'GET', headers: { authorization: 'Bearer EAAB1' } })
    expect(Object.fromEntries(me?.query ?? [])).toEqual({
      fields: 'id,email,name,first_name,middle_name,last_name,picture',
      appsecret_proof: createHmac('sha256', 'secret-1').update('EAAB1').digest('hex'),
    })
  })

  it('reports a wrong code as an object', async () => {
    const server = await startFacebook()
    const error = {
      message: 'This authorization code has been used: code-1.',
      type: 'OAuthException',
      code: 100,
      fbtrace_id: 'A1',
    }
    server.answer('/token', { json: { error }, status: 400 })
    await expect(clientOf(server).redeem()).rejects.toMatchObject({
      reason: 'OAuthError',
      info: {
        error: 'OAuthException',
        error_description: 'This authorization code has been used: <secret>.',
        provider_type: 'facebook',
      },
    })
  })

  it.each([
    [
      { json: { error: { type: 'OAuthException' } }, status: 400 },
      'the user endpoint answered 400',
    ],
    [{ json: 'x' }, 'the user endpoint answered 200'],
    [{ json: { name: 'Maya' } }, 'the identity provider did not name the user'],
  ])('is refused if it answers %j', async (answer, message) => {
    const server = await startFacebook()
    server.answer('/me', answer)
    await expect(clientOf(server).redeem()).rejects.toMatchObject({
      reason: 'OAuthProtocolError',
      message,
    })
  })

  it.each([undefined, 'x', { data: [] }, { data: { url: 5 } }])(
    'has no picture in %j',
    async (picture) => {
      const server = await startFacebook()
      server.answer('/me', { json: { id: '1', picture } })
      expect(await clientOf(server).redeem()).toMatchObject({ subject: '1', claims: {} })
    },
  )
})
