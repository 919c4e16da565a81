import { describe, expect, it } from 'vitest'
import { testClient } from '../client.fixture.ts'
import { type FakeServer, startFakeServer } from '../fake-server.fixture.ts'

const user = {
  id: 583231,
  login: 'maya',
  name: 'Maya Quill',
  email: 'shown@harborlight.example',
  avatar_url: 'https://avatars.example/u/583231',
  html_url: 'https://github.com/maya',
  blog: '',
}

async function startGitHub(): Promise<FakeServer> {
  const server = await startFakeServer()
  const token = { access_token: 'gho_1', scope: 'read:user,user:email', token_type: 'bearer' }
  server.answer('/token', { json: token })
  server.answer('/user', { json: user })
  server.answer('/emails', {
    json: [
      { email: 'old@harborlight.example', primary: false, verified: true },
      { email: 'maya@harborlight.example', primary: true, verified: true },
    ],
  })
  return server
}

const clientOf = ({ origin }: FakeServer) => {
  const github = {
    token: `${origin}/token`,
    userInfo: `${origin}/user`,
    emails: `${origin}/emails`,
  }
  return testClient('github', {}, { endpoints: { github } })
}

describe('GitHub', () => {
  it('has an authorization URL with PKCE and without a nonce', async () => {
    const url = await testClient('github').authorize({ prompt: ['login'], response_mode: 'query' })
    expect(url.href).toBe(
      'https://github.com/login/oauth/authorize?client_id=client-1' +
        '&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256' +
        '&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback&response_type=code' +
        '&scope=read%3Auser+user%3Aemail',
    )
  })

  it('returns the user with the primary verified address', async () => {
    const server = await startGitHub()
    expect(await clientOf(server).redeem()).toEqual({
      subject: '583231',
      claims: {
        email: 'maya@harborlight.example',
        email_verified: true,
        name: 'Maya Quill',
        preferred_username: 'maya',
        picture: 'https://avatars.example/u/583231',
        profile: 'https://github.com/maya',
      },
      raw: user,
    })
    expect(server.requests).toMatchObject([
      { method: 'POST', path: '/token', headers: { accept: 'application/json' } },
      { method: 'GET', path: '/user' },
      { method: 'GET', path: '/emails' },
    ])
    expect(Object.fromEntries(server.requests[0]?.form ?? [])).toMatchObject({
      code: 'code-1',
      client_id: 'client-1',
      client_secret: 'secret-1',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    })
    for (const { headers } of server.requests.slice(1)) {
      expect(headers).toMatchObject({
        accept: 'application/vnd.github+json',
        authorization: 'Bearer gho_1',
        'user-agent': 'Gatehouse',
        'x-github-api-version': '2022-11-28',
      })
    }
  })

  it('reports a wrong code with the status 200', async () => {
    const server = await startGitHub()
    const refusal = {
      error: 'bad_verification_code',
      error_description: 'The code passed is incorrect or expired.',
      error_uri: 'https://docs.github.com/bad-verification-code',
    }
    server.answer('/token', { json: refusal })
    await expect(clientOf(server).redeem()).rejects.toMatchObject({
      reason: 'OAuthError',
      info: { ...refusal, provider_type: 'github' },
    })
  })

  it.each([
    [{ json: [{ email: 'a@b.example', primary: true, verified: false }] }],
    [{ json: [{ email: 'a@b.example', primary: false, verified: true }] }],
    [{ json: [{ email: 'a@b.example', primary: 'true', verified: 'true' }] }],
    [{ json: [{ primary: true, verified: true }, null, 5] }],
    [{ json: [] }],
    [{ json: { message: 'Resource not accessible by integration' }, status: 403 }],
    [{ json: { message: 'Not Found' }, status: 404 }],
  ])('has no address if it answers %j, not even the public one', async (emails) => {
    const server = await startGitHub()
    server.answer('/emails', emails)
    const { claims } = await clientOf(server).redeem()
    expect([claims.email, claims.email_verified]).toEqual([undefined, undefined])
  })

  it.each([
    ['/emails', { json: {}, status: 500 }, 'the emails endpoint answered 500'],
    ['/emails', { json: {} }, 'the emails endpoint answered 200'],
    [
      '/user',
      { json: { message: 'Bad credentials' }, status: 401 },
      'the user endpoint answered 401',
    ],
    ['/user', { json: [] }, 'the user endpoint answered 200'],
    ['/user', { json: { login: 'maya' } }, 'the identity provider did not name the user'],
    ['/token', { json: { token_type: 'bearer' } }, 'the token endpoint gave no access token'],
  ])('is refused if %s answers %j', async (path, answer, message) => {
    const server = await startGitHub()
    server.answer(path, answer)
    await expect(clientOf(server).redeem()).rejects.toMatchObject({
      reason: 'OAuthProtocolError',
      message,
    })
  })

  it('has no name for a user without one', async () => {
    const server = await startGitHub()
    server.answer('/user', { json: { ...user, name: null, avatar_url: 'javascript:alert(1)' } })
    const { claims } = await clientOf(server).redeem()
    expect([claims.name, claims.picture, claims.preferred_username]).toEqual([
      undefined,
      undefined,
      'maya',
    ])
  })
})
