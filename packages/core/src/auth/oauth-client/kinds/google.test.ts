import { describe, expect, it } from 'vitest'
import { testClient } from '../client.fixture.ts'
import { documentOf, startFakeIssuer } from '../fake-issuer.fixture.ts'

describe('Google', () => {
  it('has an authorization URL that lets users select an account', async () => {
    const url = await testClient('google', { client_id: 'g-1' }).authorize()
    expect(url.href).toBe(
      'https://accounts.google.com/o/oauth2/v2/auth?client_id=g-1' +
        '&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256' +
        '&nonce=nonce-of-the-test&prompt=select_account' +
        '&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback&response_type=code' +
        '&scope=openid+profile+email',
    )
  })

  it.each([
    [['consent'], 'consent'],
    [['consent', 'select_account'], 'consent select_account'],
    [['login'], 'select_account'],
    [['login', 'consent'], 'consent'],
  ])('gets the prompt %j as "%s"', async (prompt, expected) => {
    const { searchParams } = await testClient('google').authorize({ prompt })
    expect(searchParams.get('prompt')).toBe(expected)
  })

  it('gets no prompt if a replacement supports only others', async () => {
    const issuer = await startFakeIssuer()
    const json = { ...documentOf(issuer.origin), prompt_values_supported: ['none', 'login'] }
    issuer.answer('/.well-known/openid-configuration', { json })
    const endpoints = { google: { discovery: issuer.discoveryUrl } }
    const { searchParams } = await testClient('google', {}, { endpoints }).authorize()
    expect(searchParams.has('prompt')).toBe(false)
  })

  it.each(['https://accounts.google.com', 'accounts.google.com'])(
    'signs ID tokens as %s, and gets the secret in a form',
    async (iss) => {
      const issuer = await startFakeIssuer()
      const endpoints = {
        google: { token: `${issuer.origin}/token`, jwks: `${issuer.origin}/jwks` },
      }
      issuer.claims = {
        iss,
        azp: 'client-1',
        email: 'maya@harborlight.example',
        email_verified: true,
        name: 'Maya Quill',
        picture: 'https://pictures.example/maya.png',
      }
      expect(await testClient('google', {}, { endpoints }).redeem()).toMatchObject({
        subject: 'user-1',
        claims: {
          email: 'maya@harborlight.example',
          email_verified: true,
          name: 'Maya Quill',
          picture: 'https://pictures.example/maya.png',
        },
      })
      expect(issuer.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
        'POST /token',
        'GET /jwks',
      ])
      const [request] = issuer.requests
      expect(request?.headers).not.toHaveProperty('authorization')
      expect(Object.fromEntries(request?.form ?? [])).toEqual({
        grant_type: 'authorization_code',
        code: 'code-1',
        redirect_uri: 'https://app.example.com/callback',
        code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
        client_id: 'client-1',
        client_secret: 'secret-1',
      })
    },
  )
})
