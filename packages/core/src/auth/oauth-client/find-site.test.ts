import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import { testClient } from './client.fixture.ts'
import { documentOf } from './fake-issuer.fixture.ts'
import { type FakeServer, startFakeServer } from './fake-server.fixture.ts'
import type { OAuthProviderConfig } from './oauth-provider.ts'

const atOidc = (discovery_document_endpoint: string): Partial<OAuthProviderConfig> => ({
  discovery_document_endpoint,
})
const wellKnown = '/.well-known/openid-configuration'

/** A server with the document of an issuer below its origin. */
async function serving(path: string, issuerPath: string, more: object = {}): Promise<FakeServer> {
  const server = await startFakeServer()
  const document = { ...documentOf(server.origin), issuer: server.origin + issuerPath, ...more }
  server.answer(path, { json: document })
  return server
}

describe('a discovery document', () => {
  it.each([
    [wellKnown, ''],
    [wellKnown, '/'],
    [`/tenants/7${wellKnown}`, '/tenants/7'],
    [`/tenants/7${wellKnown}`, '/tenants/7/'],
    [`${wellKnown}/tenants/7`, '/tenants/7'],
    ['/.well-known/oauth-authorization-server/tenants/7', '/tenants/7'],
  ])('at %s may name the issuer "%s"', async (path, issuer) => {
    const { origin } = await serving(path, issuer)
    const { authorize } = testClient('oidc', atOidc(`${origin}${path}?v=1`))
    expect((await authorize()).href).toMatch(`${origin}/authorize?client_id=client-1&`)
  })

  it.each([
    [wellKnown, '/tenants/7'],
    [`/tenants/7${wellKnown}`, ''],
    [`/tenants/7${wellKnown}`, '/tenants/8'],
    ['/documents/7', '/documents'],
    ['/documents/7', '/documents/7'],
  ])('at %s may not name the issuer "%s"', async (path, issuer) => {
    const { origin } = await serving(path, issuer)
    await expect(testClient('oidc', atOidc(origin + path)).authorize()).rejects.toMatchObject({
      kind: 'BadRequest',
      reason: 'OAuthProtocolError',
      message: 'the discovery document belongs to another issuer',
    })
  })

  it.each(['https://evil.example', 'no URL', 'https:///'])('may not name %s', async (issuer) => {
    const { origin } = await serving(wellKnown, '', { issuer })
    await expect(testClient('oidc', atOidc(origin + wellKnown)).authorize()).rejects.toMatchObject({
      message: 'the discovery document belongs to another issuer',
    })
  })

  it.each([
    { issuer: undefined },
    { authorization_endpoint: '' },
    { token_endpoint: 5 },
    { jwks_uri: null },
    { userinfo_endpoint: ['https://x.example'] },
    { response_modes_supported: 'query' },
    { token_endpoint_auth_methods_supported: [1] },
  ])('is refused with %j', async (members) => {
    const { origin } = await serving(wellKnown, '', members)
    await expect(testClient('oidc', atOidc(origin + wellKnown)).authorize()).rejects.toMatchObject({
      reason: 'OAuthProtocolError',
      message: 'the discovery document lacks a required member',
    })
  })

  it.each([
    { authorization_endpoint: 'javascript:alert(1)' },
    { token_endpoint: 'ftp://x.example/token' },
    { jwks_uri: 'file:///etc/passwd' },
    { userinfo_endpoint: '/relative' },
    { authorization_endpoint: 'https://a:b@x.example' },
  ])('may not contain a URL like %j', async (members) => {
    const { origin } = await serving(wellKnown, '', members)
    await expect(testClient('oidc', atOidc(origin + wellKnown)).authorize()).rejects.toMatchObject({
      reason: 'OAuthProtocolError',
      message: 'the discovery document names a URL that is not https',
    })
  })

  it('is cached for an hour', async () => {
    const clock = createManualClock()
    const { origin, requests } = await serving(wellKnown, '')
    const { authorize } = testClient('oidc', atOidc(origin + wellKnown), { clock })
    await Promise.all([authorize(), authorize()])
    clock.advance(59 * 60_000)
    await authorize()
    expect(requests).toHaveLength(1)
    clock.advance(60_000)
    await authorize()
    expect(requests).toHaveLength(2)
  })

  it('is requested again after a failure', async () => {
    const server = await startFakeServer()
    const { authorize } = testClient('oidc', atOidc(server.origin + wellKnown))
    await expect(authorize()).rejects.toMatchObject({
      reason: 'OAuthProtocolError',
      message: 'the discovery document answered 404, without JSON',
    })
    server.answer(wellKnown, { json: documentOf(server.origin) })
    expect((await authorize()).origin).toBe(server.origin)
  })

  it('must be public and use https, unless the options allow more', async () => {
    const { origin, requests } = await serving(wellKnown, '')
    const at = (url: string) =>
      testClient('oidc', atOidc(url), { allowPrivateAddresses: false }).authorize()
    await expect(at(origin + wellKnown)).rejects.toMatchObject({
      kind: 'InternalError',
      reason: 'InvalidConfiguration',
      message:
        'the identity provider "oidc" has a discovery_document_endpoint that is not an https URL',
    })
    await expect(at(origin.replace('http', 'https') + wellKnown)).rejects.toMatchObject({
      reason: 'OAuthProtocolError',
      message:
        'the discovery document leads to an address that is not public (allowPrivateAddresses)',
    })
    expect(requests).toEqual([])
  })
})

describe('endpoints in place of those of a type', () => {
  it('may be a discovery document', async () => {
    const { origin } = await serving(wellKnown, '')
    const endpoints = { google: { discovery: origin + wellKnown } }
    const { authorize } = testClient('google', {}, { endpoints })
    expect((await authorize()).href).toMatch(`${origin}/authorize?`)
  })

  it('take precedence over a discovery document', async () => {
    const { origin } = await serving(wellKnown, '')
    const authorization = 'https://login.example/authorize?tenant=7'
    const endpoints = { oidc: { discovery: origin + wellKnown, authorization } }
    const { authorize } = testClient('oidc', {}, { endpoints })
    expect((await authorize()).href).toMatch(/^https:\/\/login\.example\/authorize\?.*&tenant=7$/)
  })

  it('need no document if they are complete', async () => {
    const base = 'https://login.example'
    const endpoints = {
      oidc: {
        issuer: base,
        authorization: `${base}/authorize`,
        token: `${base}/token`,
        jwks: `${base}/jwks`,
      },
    }
    const settings = atOidc(`${base}${wellKnown}`)
    expect((await testClient('oidc', settings, { endpoints }).authorize()).origin).toBe(base)
  })

  it('apply to one alias only', async () => {
    const endpoints = { work: { authorization: 'https://github.work.example/login' } }
    const options = {
      endpoints,
      credentials: { work: { clientSecret: 's' }, github: { clientSecret: 's' } },
    }
    const work = testClient('github', { alias: 'work' }, options)
    expect((await work.authorize()).host).toBe('github.work.example')
    expect((await testClient('github', {}, options).authorize()).host).toBe('github.com')
  })

  it.each(['github', 'facebook', 'wechat'] as const)('of %s cannot be a document', async (type) => {
    const endpoints = { [type]: { discovery: 'https://x.example' } }
    await expect(testClient(type, {}, { endpoints }).authorize()).rejects.toMatchObject({
      reason: 'InvalidConfiguration',
      message: `the identity provider "${type}" is of a type that has no discovery document`,
    })
  })
})

describe('an incomplete provider configuration', () => {
  it.each([
    ['oidc', {}, 'has no discovery_document_endpoint'],
    ['adfs', {}, 'has no discovery_document_endpoint'],
    ['azureadv2', {}, 'has no tenant'],
    ['azureadv2', { tenant: '../evil' }, 'has an unusable tenant'],
    ['azureadb2c', { policy: 'p' }, 'has no tenant'],
    ['azureadb2c', { tenant: 't' }, 'has no policy'],
    ['azureadb2c', { tenant: 'evil.example/', policy: 'p' }, 'has an unusable tenant'],
  ] as const)('is reported for %s with %j', async (type, settings, problem) => {
    await expect(testClient(type, settings).authorize()).rejects.toMatchObject({
      kind: 'InternalError',
      reason: 'InvalidConfiguration',
      message: `the identity provider "${type}" ${problem}`,
    })
  })
})
