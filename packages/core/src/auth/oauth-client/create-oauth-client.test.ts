import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { testClient } from './client.fixture.ts'
import type { OAuthClientOptions } from './client-options.ts'
import { createOAuthClient } from './create-oauth-client.ts'
import { startFakeIssuer } from './fake-issuer.fixture.ts'
import { authorizationOf, providerOf, redemptionOf } from './provider.fixture.ts'

const demoCredentials = { google: { clientId: 'demo-1', clientSecret: 'demo-secret' } }

describe('the status of a provider', () => {
  const client = createOAuthClient({
    credentials: { google: { clientSecret: 's' }, apple: { privateKey: 'k' } },
    demoCredentials,
  })
  const asDemo = { credentials_behavior: 'use_demo_credentials' } as const

  it.each([
    ['active', providerOf('google')],
    ['active', providerOf('apple')],
    ['missing_credentials', providerOf('google', { client_id: undefined })],
    ['missing_credentials', providerOf('google', { client_id: '' })],
    ['missing_credentials', providerOf('google', { alias: 'other' })],
    ['missing_credentials', providerOf('google', { alias: 'constructor' })],
    ['missing_credentials', providerOf('github')],
    ['using_demo_credentials', providerOf('google', asDemo)],
    ['using_demo_credentials', providerOf('google', { ...asDemo, client_id: undefined })],
    ['missing_credentials', providerOf('apple', asDemo)],
  ])('is %s', (status, provider) => {
    expect(client.status(provider)).toBe(status)
  })

  it.each([providerOf('github'), providerOf('apple', asDemo)])(
    'is reported if a provider without credentials is used anyway',
    async (provider) => {
      const missing = {
        kind: 'Invalid',
        reason: 'OAuthProviderMissingCredentials',
        message: 'oauth provider is missing credentials',
        info: { OAuthProviderAlias: provider.alias, OAuthProviderType: provider.type },
      }
      const asked = client.authorizationUrl(provider, authorizationOf())
      await expect(asked).rejects.toMatchObject(missing)
      await expect(client.redeem(provider, redemptionOf('code-1'))).rejects.toMatchObject(missing)
    },
  )
})

it('demo credentials belong to another client', async () => {
  const issuer = await startFakeIssuer()
  const settings = { credentials_behavior: 'use_demo_credentials' } as const
  const endpoints = { google: { discovery: issuer.discoveryUrl } }
  const options = { credentials: {}, demoCredentials, endpoints }
  const { authorize, redeem } = testClient('google', settings, options)
  expect((await authorize()).searchParams.get('client_id')).toBe('demo-1')
  issuer.claims = { aud: 'demo-1' }
  expect(await redeem()).toMatchObject({ subject: 'user-1' })
  const { form } = issuer.requests.find(({ path }) => path === '/token') ?? {}
  expect([form?.get('client_id'), form?.get('client_secret')]).toEqual(['demo-1', 'demo-secret'])
})

it('a custom fetch sends everything', async () => {
  const issuer = await startFakeIssuer()
  const sent: string[] = []
  const { redeem } = testClient(
    'oidc',
    { discovery_document_endpoint: issuer.discoveryUrl },
    {
      fetch(url, init) {
        sent.push(`${init.method} ${new URL(url).pathname} ${init.redirect}`)
        return fetch(url, init)
      },
    },
  )
  expect(await redeem()).toMatchObject({ subject: 'user-1' })
  expect(sent).toEqual([
    'GET /.well-known/openid-configuration manual',
    'POST /token manual',
    'GET /jwks manual',
  ])
})

it('a custom fetch is not directed to this machine', async () => {
  const issuer = await startFakeIssuer()
  const discovery = issuer.discoveryUrl.replace('http:', 'https:')
  const settings = { discovery_document_endpoint: discovery }
  const { redeem } = testClient('oidc', settings, { fetch, allowPrivateAddresses: false })
  await expect(redeem()).rejects.toMatchObject({
    reason: 'OAuthProtocolError',
    message:
      'the discovery document leads to an address that is not public (allowPrivateAddresses)',
  })
  expect(issuer.requests).toEqual([])
})

it('a client does not reveal its secret', () => {
  const client = createOAuthClient({ credentials: { google: { clientSecret: 'hunter-2' } } })
  expect(inspect(client, { depth: 10, showHidden: true })).not.toContain('hunter-2')
  expect(Object.isFrozen(client)).toBe(true)
})

describe('options of a client', () => {
  const make = (options: object) => () =>
    createOAuthClient({ credentials: {}, ...options } as OAuthClientOptions)

  it.each([
    [{ credentials: { a: 'a secret' } }, 'credentials.a: expected an object, got a string'],
    [
      { credentials: { a: { clientSecret: '' } } },
      'credentials.a.clientSecret: expected a non-empty string, got an empty string',
    ],
    [{ credentials: { a: {} } }, 'credentials.a.clientSecret: expected a string, got undefined'],
    [
      { credentials: { a: { privateKey: 5 } } },
      'credentials.a.privateKey: expected a string, got a number',
    ],
    [
      { demoCredentials: { google: { clientSecret: 's' } } },
      'demoCredentials.google.clientId: expected a string, got undefined',
    ],
    [{ endpoints: { a: { token: 'x' } } }, 'endpoints.a.token: expected an https URL, got "x"'],
    [
      { endpoints: { a: { token: 'http://x.example' } } },
      'endpoints.a.token: expected an https URL, got "http://x.example"',
    ],
    [
      { endpoints: { a: { issuer: '' } } },
      'endpoints.a.issuer: expected a non-empty string, got an empty string',
    ],
    [{ endpoints: { a: { jwks: 5 } } }, 'endpoints.a.jwks: expected a string, got a number'],
  ])('are refused with %j', (options, message) => {
    expect(make(options)).toThrow(
      expect.objectContaining({ reason: 'InvalidInput', message: `options.${message}` }),
    )
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    'are refused with the time limit %d',
    (timeoutMs) => {
      expect(make({ timeoutMs })).toThrow(
        `options.timeoutMs: expected a number of at least 1, got ${timeoutMs}`,
      )
    },
  )

  it('endpoints may use http if that is allowed', () => {
    const endpoints = { a: { token: 'http://x.example' } }
    expect(make({ endpoints, allowPrivateAddresses: true })).not.toThrow()
  })
})
