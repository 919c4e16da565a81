import { isGatehouseError } from '@gatehouse/core'
import { describe, expect, it } from 'vitest'
import type { OidcClient, OidcOptions } from './options.ts'
import { checkOidcOptions, readSettings } from './options-input.ts'

const host = { public_origin: 'https://id.example.com', base_path: '/auth' }
const secret = 'a-secret-of-at-least-24-characters'

const web = {
  clientId: 'grafana',
  name: 'Grafana',
  type: 'web',
  clientSecret: secret,
  redirectUris: ['https://grafana.example.com/login/generic_oauth'],
} as const satisfies OidcClient

const spa = {
  clientId: 'shop',
  name: 'Shop',
  type: 'spa',
  redirectUris: ['https://shop.example.com/callback'],
} as const satisfies OidcClient

const native = {
  clientId: 'cli',
  name: 'Command line',
  type: 'native',
  redirectUris: ['http://127.0.0.1/callback'],
} as const satisfies OidcClient

const service = {
  clientId: 'robot',
  name: 'Robot',
  type: 'service',
  clientSecret: secret,
} as const satisfies OidcClient

type Given = Omit<OidcOptions, 'auth'>

/** The path and the message of the refusal. */
function refusalOf(options: object): string {
  try {
    readSettings(options as Given, host)
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    return error.message
  }
  return 'accepted'
}

const refusalOfClient = (client: object): string => refusalOf({ clients: [client] })

describe('readSettings', () => {
  it('fills in the defaults', () => {
    const settings = readSettings({ clients: [web, spa, native, service] }, host)
    expect(settings).toMatchObject({
      issuer: 'https://id.example.com',
      basePath: '/oidc',
      signInPath: '/auth/login',
      signUpPath: '/auth/signup',
      roleAttribute: 'x_role',
      groupAttribute: 'x_groups',
      registration: 'off',
      clientIdMetadata: false,
      deviceFlow: false,
      lifetimes: { accessTokenSeconds: 300, codeSeconds: 60, refreshTokenSeconds: 2_592_000 },
    })
    const { clients } = settings
    expect(clients.get('grafana')).toMatchObject({ consent: 'ask', secrets: [secret] })
    expect(clients.get('shop')?.grantTypes).toEqual(['authorization_code', 'refresh_token'])
    expect(clients.get('robot')?.grantTypes).toEqual(['client_credentials'])
    expect(clients.get('robot')?.redirectUris).toEqual([])
  })

  it('gives native apps the device flow where it is on', () => {
    const { clients } = readSettings({ clients: [native, web], deviceFlow: true }, host)
    expect(clients.get('cli')?.grantTypes).toContain('urn:ietf:params:oauth:grant-type:device_code')
    expect(clients.get('grafana')?.grantTypes).toHaveLength(2)
  })

  it('keeps only the lifetimes that are given', () => {
    const { lifetimes } = readSettings(
      { clients: [], lifetimes: { codeSeconds: 30, idTokenSeconds: undefined } },
      host,
    )
    expect(lifetimes).toMatchObject({ codeSeconds: 30, idTokenSeconds: 300 })
  })

  it.each([
    ['https://id.example.com', 'accepted'],
    ['https://id.example.com/tenant', 'accepted'],
    ['https://id.example.com/', 'without a user'],
    ['https://id.example.com/?a', 'without a user'],
    ['https://ID.example.com', 'without a user'],
    ['https://other.example.com', 'expected http.public_origin, https://id.example.com'],
    ['http://id.example.com', 'begins with https://'],
    ['id.example.com', 'begins with https://'],
  ])('the issuer %s: %s', (issuer, expected) => {
    expect(refusalOf({ clients: [], issuer })).toContain(expected)
  })

  it('refuses an origin that is not encrypted, but for this machine', () => {
    const at = (public_origin: string) => () =>
      readSettings({ clients: [] }, { public_origin, base_path: '' })
    expect(at('http://id.example.com')).toThrow('options.issuer: expected a URL that begins with')
    expect(at('http://localhost:8080')().issuer).toBe('http://localhost:8080')
    expect(at('http://[::1]:8080')().issuer).toBe('http://[::1]:8080')
  })

  it.each([
    [{ ...web, clientId: '' }, 'options.clients[0].clientId: expected 1 to 128'],
    [{ ...web, clientId: 'https://a.example' }, 'an id that is not a URL'],
    [{ ...web, name: 'a\nb' }, 'options.clients[0].name: expected 1 to 100 characters'],
    [{ ...web, type: 'app' }, 'options.clients[0].type'],
    [{ ...web, clientSecret: undefined }, 'clientSecret: expected a secret, which "web" has'],
    [{ ...web, clientSecret: 'short' }, 'clientSecret: expected 24 to 512 visible'],
    [{ ...web, clientSecret: [] }, 'clientSecret: expected at least one secret'],
    [{ ...web, clientSecret: [secret, secret] }, 'a list without repetitions'],
    [{ ...web, clientSecret: [secret, `${secret}2`] }, 'accepted'],
    [{ ...spa, clientSecret: secret }, 'clientSecret: expected none: "spa" cannot keep'],
    [{ ...native, clientSecret: secret }, 'clientSecret: expected none: "native" cannot keep'],
    [{ ...spa, redirectUris: [] }, 'redirectUris: expected at least one address'],
    [{ ...spa, redirectUris: undefined }, 'redirectUris: expected at least one address'],
    [{ ...service, redirectUris: spa.redirectUris }, 'redirectUris: expected none'],
    [{ ...spa, grantTypes: ['client_credentials'] }, 'grantTypes: expected others than'],
    [{ ...service, grantTypes: ['refresh_token'] }, 'grantTypes: expected only client_credentials'],
    [{ ...web, grantTypes: ['password'] }, 'options.clients[0].grantTypes[0]'],
    [{ ...web, grantTypes: [] }, 'grantTypes: expected at least one'],
    [
      { ...web, resources: ['urn:api'] },
      'options.clients[0].resources[0]: expected the identifier',
    ],
    [{ ...web, scopes: ['openid', 'blog'] }, 'options.clients[0].scopes[1]: expected a scope that'],
    [{ ...web, logoUri: 'http://a.example/l.png' }, 'logoUri: expected a URL that begins with'],
    [{ ...web, policyUri: 'javascript:alert(1)' }, 'policyUri: expected a URL that begins with'],
    [
      { ...web, redirectUri: 'https://a.example' },
      'options.clients[0].redirectUri: expected "redirectUris"',
    ],
  ])('checks a client: %#', (client, expected) => {
    expect(refusalOfClient(client)).toContain(expected)
  })

  it.each([
    ['web', 'https://a.example/cb?x=1', 'accepted'],
    ['web', 'http://grafana.lan:3000/login', 'accepted'],
    ['web', 'https://a.example/cb#', 'one exact address'],
    ['web', 'https://*.a.example/cb', 'one exact address'],
    ['web', 'https://u:p@a.example/cb', 'one exact address'],
    ['web', '/cb', 'an absolute URI'],
    ['web', 'https://a.example/\\b', 'an absolute URI'],
    ['web', `https://a.example/${'a'.repeat(2_000)}`, 'an absolute URI'],
    ['web', 'com.example.app:/cb', 'begins with https:// or http://'],
    ['spa', 'javascript:alert(1)', 'begins with https:// or http://'],
    ['native', 'http://127.0.0.1/cb', 'accepted'],
    ['native', 'http://[::1]:7000/cb', 'accepted'],
    ['native', 'com.example.app:/cb', 'accepted'],
    ['native', 'https://a.example/cb', 'accepted'],
    ['native', 'http://a.example/cb', 'begins with https://'],
    ['native', 'javascript:alert(1)', 'the name of a domain reversed'],
    ['native', 'myapp:/cb', 'the name of a domain reversed'],
  ])('the redirect URI of a %s app %s: %s', (type, uri, expected) => {
    const client = { web, native, spa }[type as 'web' | 'native' | 'spa']
    const refusal = refusalOfClient({ ...client, redirectUris: [uri] })
    expect(refusal).toContain(expected)
    if (expected !== 'accepted') expect(refusal).toContain('options.clients[0].redirectUris[0]')
  })

  it('never shows a secret that it refuses', () => {
    const wrong = 'a secret with spaces that is wrong'
    expect(refusalOfClient({ ...web, clientSecret: wrong })).not.toContain(wrong)
    expect(refusalOf({ clients: [], registration: { initialAccessToken: wrong } })).toContain(
      'options.registration.initialAccessToken: expected 24 to 512',
    )
  })

  it('refuses two clients with one id', () => {
    expect(refusalOf({ clients: [web, { ...spa, clientId: 'grafana' }] })).toContain(
      'options.clients: expected a list without repetitions',
    )
  })

  it.each([
    [{ resources: [{ identifier: '/api', scopes: [] }] }, 'an absolute URI without a fragment'],
    [{ resources: [{ identifier: 'https://a.example', scopes: ['email'] }] }, 'standard scopes'],
    [{ resources: [{ identifier: 'https://a.example', scopes: ['a b'] }] }, 'visible ASCII'],
    [{ scopes: { profile: { claims: [] } } }, 'options.scopes.profile: expected the name'],
    [{ scopes: { blog: { claims: ['sub'] } } }, 'options.scopes.blog.claims[0]: expected a claim'],
    [{ basePath: 'oidc' }, 'options.basePath: expected a path such as /oidc'],
    [{ basePath: '' }, 'options.basePath'],
    [{ signInPath: 'https://a.example' }, 'options.signInPath: expected a path'],
    [{ signUpPath: 'enter' }, 'options.signUpPath: expected a path'],
    [{ lifetimes: { codeSeconds: 601 } }, 'options.lifetimes.codeSeconds: expected a whole number'],
    [{ clientIdMetaData: true }, 'options.clientIdMetaData: expected "clientIdMetadata"'],
    [{ registration: 'on' }, 'options.registration: expected "off" or "open"'],
  ])('checks the other options: %#', (options, expected) => {
    expect(refusalOf({ clients: [], ...options })).toContain(expected)
  })

  it('lets clients of devices be only where deviceFlow is on', () => {
    const device = { ...native, grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'] }
    const given = { ...device, redirectUris: [] }
    expect(refusalOf({ clients: [given] })).toContain('expected deviceFlow to be true')
    expect(refusalOf({ clients: [given], deviceFlow: true })).toBe('accepted')
  })
})

describe('checkOidcOptions', () => {
  it('warns about codes that are sent unencrypted, and about apps that others can pretend to be', () => {
    const clients = [
      { ...web, redirectUris: ['https://a.example/cb', 'http://grafana.lan/login'] },
      { ...native, consent: 'never' as const },
      { ...spa, redirectUris: ['http://localhost:3000/cb'], consent: 'never' as const },
    ]
    expect(checkOidcOptions({ clients }, host).map(({ path }) => path)).toEqual([
      'clients[0].redirectUris[1]',
      'clients[1].consent',
    ])
  })
})
