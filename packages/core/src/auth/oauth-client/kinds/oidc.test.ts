import { describe, expect, it } from 'vitest'
import { testClient } from '../client.fixture.ts'
import { documentOf, type FakeIssuer, startFakeIssuer } from '../fake-issuer.fixture.ts'

/** An issuer with additional members in its discovery document. */
async function startIssuer(more: object = {}): Promise<FakeIssuer> {
  const issuer = await startFakeIssuer()
  const json = { ...documentOf(issuer.origin), ...more }
  issuer.answer('/.well-known/openid-configuration', { json })
  return issuer
}

const clientOf = ({ discoveryUrl }: FakeIssuer, settings: { scope_override?: string[] } = {}) =>
  testClient('oidc', { discovery_document_endpoint: discoveryUrl, ...settings })

describe('an OpenID Connect provider', () => {
  it('gets the requested parameters', async () => {
    const url = await clientOf(await startIssuer()).authorize({
      prompt: ['login', 'create'],
      response_mode: 'form_post',
    })
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'client-1',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      nonce: 'nonce-of-the-test',
      prompt: 'login',
      redirect_uri: 'https://app.example.com/callback',
      response_mode: 'form_post',
      response_type: 'code',
      scope: 'openid profile email',
    })
  })

  it('does not get parameters that it does not support', async () => {
    const issuer = await startIssuer({
      response_modes_supported: ['query', 'fragment'],
      prompt_values_supported: ['none', 'consent'],
    })
    const asked = { prompt: ['login', 'consent'], response_mode: 'form_post' } as const
    const { searchParams } = await clientOf(issuer).authorize(asked)
    expect(searchParams.get('prompt')).toBe('consent')
    expect(searchParams.has('response_mode')).toBe(false)
  })

  it.each([
    [['openid', 'phone'], 'openid phone'],
    [[], null],
  ])('gets the scopes %j in place of the default', async (scope_override, expected) => {
    const { searchParams } = await clientOf(await startIssuer(), { scope_override }).authorize()
    expect(searchParams.get('scope')).toBe(expected)
  })

  it('keeps the parameters of its own URL', async () => {
    const issuer = await startFakeIssuer()
    const json = { ...documentOf(issuer.origin), authorization_endpoint: `${issuer.origin}/a?p=1` }
    issuer.answer('/.well-known/openid-configuration', { json })
    expect((await clientOf(issuer).authorize()).searchParams.get('p')).toBe('1')
  })

  it.each([
    [undefined, 'basic'],
    [['client_secret_basic'], 'basic'],
    [['private_key_jwt', 'client_secret_post', 'client_secret_basic'], 'basic'],
    [['private_key_jwt', 'client_secret_post'], 'post'],
  ])('that accepts %j gets the secret by %s', async (methods, way) => {
    const issuer = await startIssuer({ token_endpoint_auth_methods_supported: methods })
    await clientOf(issuer).redeem()
    const request = issuer.requests.find(({ path }) => path === '/token')
    const header = `Basic ${Buffer.from('client-1:secret-1').toString('base64')}`
    expect(request?.headers.authorization).toBe(way === 'basic' ? header : undefined)
    expect(request?.form.get('client_secret')).toBe(way === 'basic' ? null : 'secret-1')
    expect(request?.form.get('client_id')).toBe(way === 'basic' ? null : 'client-1')
  })

  it('that accepts no secret is refused', async () => {
    const issuer = await startIssuer({ token_endpoint_auth_methods_supported: ['private_key_jwt'] })
    await expect(clientOf(issuer).redeem()).rejects.toMatchObject({
      kind: 'InternalError',
      reason: 'InvalidConfiguration',
    })
    expect(issuer.requests.map(({ path }) => path)).not.toContain('/token')
  })

  it('encodes the client id and secret before it joins them', async () => {
    const issuer = await startIssuer()
    const settings = { discovery_document_endpoint: issuer.discoveryUrl, client_id: 'a:b c' }
    const credentials = { oidc: { clientSecret: 'ü:%&/+ ' } }
    issuer.claims = { aud: 'a:b c' }
    await testClient('oidc', settings, { credentials }).redeem()
    const { headers } = issuer.requests.find(({ path }) => path === '/token') ?? {}
    const sent = String(headers?.authorization).replace('Basic ', '')
    expect(Buffer.from(sent, 'base64').toString()).toBe('a%3Ab+c:%C3%BC%3A%25%26%2F%2B+')
  })

  describe('with a user-info endpoint', () => {
    const startWithUserInfo = async (): Promise<FakeIssuer> => {
      const issuer = await startFakeIssuer()
      const json = { ...documentOf(issuer.origin), userinfo_endpoint: `${issuer.origin}/me` }
      issuer.answer('/.well-known/openid-configuration', { json })
      return issuer
    }

    it('is asked there for more claims', async () => {
      const issuer = await startWithUserInfo()
      issuer.answer('/me', { json: { sub: 'user-1', name: 'Maya Quill' } })
      const { claims, raw } = await clientOf(issuer).redeem()
      expect(claims).toEqual({ name: 'Maya Quill' })
      expect(raw).toMatchObject({ iss: issuer.origin, name: 'Maya Quill' })
      const request = issuer.requests.find(({ path }) => path === '/me')
      expect(request).toMatchObject({
        method: 'GET',
        headers: { authorization: 'Bearer access-1' },
      })
    })

    it.each([
      [{ json: { sub: 'user-2' } }, 'describes another user'],
      [{ json: { name: 'Maya' } }, 'describes another user'],
      [{ json: ['user-1'] }, 'answered 200'],
      [{ json: { sub: 'user-1' }, status: 401 }, 'answered 401'],
      [
        { text: 'eyJ.signed.answer', headers: { 'content-type': 'application/jwt' } },
        'answered 200, without JSON',
      ],
    ])('is refused if it answers %j', async (answer, message) => {
      const issuer = await startWithUserInfo()
      issuer.answer('/me', answer)
      await expect(clientOf(issuer).redeem()).rejects.toMatchObject({
        reason: 'OAuthProtocolError',
        message: `the user-info endpoint ${message}`,
      })
    })

    it('is not asked without an access token', async () => {
      const issuer = await startWithUserInfo()
      const nowSeconds = Math.floor(Date.now() / 1_000)
      const id_token = await issuer.sign({
        iss: issuer.origin,
        aud: 'client-1',
        sub: 'user-1',
        nonce: 'nonce-of-the-test',
        iat: nowSeconds,
        exp: nowSeconds + 60,
      })
      issuer.answer('/token', { json: { id_token } })
      expect(await clientOf(issuer).redeem()).toMatchObject({ subject: 'user-1', claims: {} })
    })
  })

  it.each([
    [{ json: {}, status: 500 }, 'answered 500 without a token'],
    [{ json: ['x'] }, 'answered 200 without a token'],
    [{ text: '<html>', status: 503 }, 'answered 503, without JSON'],
    [
      { text: '', status: 307, headers: { location: 'https://evil.example' } },
      'redirects, which is not followed',
    ],
  ])('is refused if its token endpoint answers %j', async (answer, message) => {
    const issuer = await startIssuer()
    issuer.answer('/token', answer)
    await expect(clientOf(issuer).redeem()).rejects.toMatchObject({
      kind: 'BadRequest',
      reason: 'OAuthProtocolError',
      message: `the token endpoint ${message}`,
    })
  })

  it.each([200, 400, 401])(
    'may refuse with the status %i, without leaking a secret',
    async (status) => {
      const issuer = await startIssuer()
      const error_description = 'the code code-1 of secret-1 is spent'
      issuer.answer('/token', { json: { error: 'invalid_grant', error_description }, status })
      await expect(clientOf(issuer).redeem()).rejects.toMatchObject({
        kind: 'BadRequest',
        reason: 'OAuthError',
        message: 'the identity provider refused',
        info: {
          error: 'invalid_grant',
          error_description: 'the code <secret> of <secret> is spent',
          provider_type: 'oidc',
        },
      })
    },
  )

  it('compares the issuer beside a code with its own', async () => {
    const issuer = await startIssuer()
    const redeem = (query: string) => clientOf(issuer).redeem({ query })
    expect(await redeem('code=code-1')).toMatchObject({ subject: 'user-1' })
    expect(await redeem(`?iss=${encodeURIComponent(issuer.origin)}`)).toMatchObject({
      subject: 'user-1',
    })
    await expect(redeem('iss=https://evil.example')).rejects.toMatchObject({
      reason: 'OAuthProtocolError',
      message: 'the code belongs to another issuer',
    })
  })
})
