import { describe, expect, it } from 'vitest'
import { codesIn, configWith, documentWith, messagesIn, problemsIn } from './config.fixture.ts'

const withProviders = (...providers: readonly unknown[]): object => ({
  identity: { oauth: { providers, allowed_redirect_uris: ['https://app.example.com/cb'] } },
})

const google = { alias: 'google', type: 'google', client_id: 'g' }
const endpoint = 'https://id.example.com/.well-known/openid-configuration'
const oidc = { alias: 'own', type: 'oidc', client_id: 'o', discovery_document_endpoint: endpoint }

/** Where messages of the first provider are. */
const at = 'identity.oauth.providers[0]'

describe('identity providers', () => {
  it('have a default for everything but the alias and the type', () => {
    const { oauth } = configWith({ identity: { oauth: { providers: [google] } } }).identity
    expect(oauth).toEqual({
      providers: [
        {
          alias: 'google',
          type: 'google',
          client_id: 'g',
          tenant: undefined,
          policy: undefined,
          discovery_document_endpoint: undefined,
          team_id: undefined,
          key_id: undefined,
          app_type: undefined,
          account_id: undefined,
          is_sandbox_account: false,
          scope_override: undefined,
          claims: { email: { assume_verified: true, required: true } },
          create_disabled: false,
          delete_disabled: false,
          do_not_store_identity_attributes: false,
          credentials_behavior: 'use_project_credentials',
        },
      ],
      allowed_redirect_uris: undefined,
    })
    expect(configWith().identity.oauth).toEqual({
      providers: [],
      allowed_redirect_uris: undefined,
    })
  })

  it('believe no address where any organisation of Microsoft may sign in, unless the document says so', () => {
    const believed = (tenant: string, claims: object = {}): unknown => {
      const azure = { alias: 'ms', type: 'azureadv2', client_id: 'm', tenant, claims }
      const [provider] = configWith(withProviders(azure)).identity.oauth.providers
      return provider?.claims.email.assume_verified
    }
    expect(['common', 'organizations'].map((tenant) => believed(tenant))).toEqual([false, false])
    expect(['consumers', 'contoso.example'].map((tenant) => believed(tenant))).toEqual([true, true])
    expect(believed('common', { email: { assume_verified: true } })).toBe(true)
  })

  it('take every key', () => {
    const written = {
      alias: 'wx',
      type: 'wechat',
      client_id: 'w',
      app_type: 'mobile',
      account_id: 'gh_1',
      is_sandbox_account: true,
      scope_override: ['snsapi_userinfo'],
      claims: { email: { assume_verified: false, required: true } },
      create_disabled: true,
      delete_disabled: true,
      do_not_store_identity_attributes: true,
      credentials_behavior: 'use_demo_credentials',
    }
    const redirects = ['https://app.example.com/back', 'com.example.app:/back']
    const config = configWith({
      identity: { oauth: { providers: [written], allowed_redirect_uris: redirects } },
    })
    expect(config.identity.oauth.providers).toMatchObject([written])
    expect(config.identity.oauth.allowed_redirect_uris).toEqual(redirects)
    expect(config.warnings).toEqual([])
  })

  it.each([
    ['google', true, true],
    ['facebook', true, true],
    ['github', true, true],
    ['linkedin', true, true],
    ['azureadv2', true, true],
    ['azureadb2c', true, true],
    ['adfs', true, true],
    ['apple', true, true],
    ['wechat', true, false],
    ['oidc', false, false],
  ])(
    'of the type %s are believed about addresses: %s, and need one: %s',
    (type, assume_verified, required) => {
      const provider = {
        alias: 'a',
        type,
        client_id: 'c',
        tenant: 'contoso',
        policy: 'B2C_1_in',
        discovery_document_endpoint: endpoint,
        team_id: 't',
        key_id: 'k',
      }
      const emailOf = (claims: object): unknown =>
        configWith(withProviders({ ...provider, claims })).identity.oauth.providers[0]?.claims.email
      expect(emailOf({})).toEqual({ assume_verified, required })
      expect(emailOf({ email: { required: !required } })).toEqual({
        assume_verified,
        required: !required,
      })
      expect(emailOf({ email: { assume_verified: !assume_verified } })).toEqual({
        assume_verified: !assume_verified,
        required,
      })
    },
  )

  it.each([
    ['azureadv2', ['tenant']],
    ['azureadb2c', ['tenant', 'policy']],
    ['adfs', ['discovery_document_endpoint']],
    ['oidc', ['discovery_document_endpoint']],
    ['apple', ['team_id', 'key_id']],
    ['google', []],
    ['wechat', []],
  ])('of the type %s cannot do without %j', (type, keys) => {
    expect(messagesIn(withProviders({ alias: 'a', type, client_id: 'c' }))).toEqual(
      keys.map((key) => `${at}.${key}: is missing: type: ${type} needs it`),
    )
  })

  it('are warned of keys that say nothing to their type', () => {
    const { warnings } = configWith(withProviders({ ...google, tenant: 't', app_type: 'web' }))
    expect(warnings).toEqual([
      `${at}.tenant: has no effect with type: google`,
      `${at}.app_type: has no effect with type: google`,
    ])
  })

  it('are warned of a missing client, which nobody can sign in by', () => {
    const { client_id: _id, ...nameless } = google
    expect(configWith(withProviders(nameless)).warnings).toEqual([
      `${at}: has no client_id, so nobody can sign in by it`,
    ])
    const demo = { ...nameless, credentials_behavior: 'use_demo_credentials' }
    expect(configWith(withProviders(demo)).warnings).toEqual([])
    const apple = { ...demo, type: 'apple' }
    expect(configWith(withProviders(apple)).warnings).toEqual([])
  })

  it('have aliases that are all different', () => {
    const other = { ...google, type: 'github' }
    expect(messagesIn(withProviders(google, oidc, other))).toEqual([
      'identity.oauth.providers[2].alias: the alias "google" is here already',
    ])
  })

  it('are refused with all that is wrong with them', () => {
    const wrong = {
      type: 'gogle',
      client_id: '',
      scope_override: ['openid profile', 'e"mail', ''],
      claims: { email: { verified: true } },
      create_disabled: 'true',
      credentials_behavior: 'none',
    }
    expect(codesIn(withProviders(wrong))).toEqual([
      `${at}.alias required`,
      `${at}.type out_of_range`,
      `${at}.client_id empty`,
      `${at}.scope_override[0] out_of_range`,
      `${at}.scope_override[1] out_of_range`,
      `${at}.scope_override[2] empty`,
      `${at}.claims.email.verified unknown_key`,
      `${at}.create_disabled wrong_type`,
      `${at}.credentials_behavior out_of_range`,
    ])
    expect(messagesIn(withProviders({ ...google, type: 'gogle' }))).toContainEqual(
      expect.stringContaining('did you mean "google"?'),
    )
    for (const odd of [null, 5, 'google', [], [google]]) {
      expect(codesIn(withProviders(odd))).toEqual([`${at} wrong_type`])
    }
    expect(codesIn({ identity: { oauth: { providers: google } } })).toEqual([
      'identity.oauth.providers wrong_type',
    ])
  })

  it.each(['client_secret', 'private_key'])(
    'have no %s in the document, and none is quoted',
    (key) => {
      const problems = problemsIn(documentWith(withProviders({ ...google, [key]: 'sup3rs3cret' })))
      expect(problems).toMatchObject([{ path: `${at}.${key}`, code: 'unknown_key' }])
      expect(problems[0]?.message).toBe(
        `unknown key "${key}": a secret is no part of the document: it is given to createOAuthClient, or stands in auth.oauth of gatehouse api`,
      )
      expect(JSON.stringify(problems)).not.toContain('sup3rs3cret')
    },
  )

  it('know the names by which something was said once', () => {
    const old = { ...google, modify_disabled: true, delete_disabled: false }
    const config = configWith(withProviders(old))
    expect(config.identity.oauth.providers[0]).toMatchObject({
      create_disabled: true,
      delete_disabled: false,
    })
    expect(config.warnings).toEqual([
      `${at}.modify_disabled: is now create_disabled and delete_disabled`,
    ])
  })

  it('stay at the addresses that their tenants and policies are put into', () => {
    for (const tenant of ['../x', 'a/b', 'a?b', 'a#b', 'a b', '@evil.example']) {
      const azure = { alias: 'a', type: 'azureadb2c', client_id: 'c', tenant, policy: tenant }
      expect(codesIn(withProviders(azure))).toEqual([
        `${at}.tenant out_of_range`,
        `${at}.policy out_of_range`,
      ])
    }
    const azure = { alias: 'a', client_id: 'c', tenant: 'contoso.onmicrosoft.com', policy: 'p' }
    expect(codesIn(withProviders({ ...azure, type: 'azureadv2', policy: undefined }))).toEqual([])
    expect(codesIn(withProviders({ ...azure, type: 'azureadb2c' }))).toEqual([
      `${at}.tenant out_of_range`,
    ])
  })
})

describe('the address of a discovery document', () => {
  const codes = (discovery_document_endpoint: unknown, http: object = {}): readonly string[] =>
    problemsIn({
      ...documentWith(withProviders({ ...oidc, discovery_document_endpoint })),
      http: { public_origin: 'https://auth.example.com', ...http },
    }).map(({ pointer, code }) => `${pointer} ${code}`)
  const pointer = '/identity/oauth/providers/0/discovery_document_endpoint'

  it('is reached over TLS, unless the document says that it need not be', () => {
    expect(codes(endpoint)).toEqual([])
    const plain = 'http://localhost:9000/.well-known/openid-configuration'
    expect(codes(plain)).toEqual([`${pointer} conflict`])
    expect(codes(plain, { allow_insecure: true })).toEqual([])
  })

  it.each([
    'ftp://x/y',
    'javascript:alert(1)',
    '/x',
    'x',
    '',
    'https://u:p@id.example.com/x',
    'https://',
  ])('is of the web and holds nobody’s password: %s', (address) => {
    expect(codes(address)).toEqual([`${pointer} out_of_range`])
  })
})

describe('the pages that providers send back to', () => {
  it.each([
    [[], ' empty'],
    ['https://a.example.com', ' wrong_type'],
    [['javascript:alert(1)'], '[0] out_of_range'],
    [['/back'], '[0] out_of_range'],
  ])('are addresses: %j', (allowed_redirect_uris, problem) => {
    expect(codesIn({ identity: { oauth: { allowed_redirect_uris } } })).toEqual([
      `identity.oauth.allowed_redirect_uris${problem}`,
    ])
  })
})

describe('the warnings', () => {
  const warningsOf = (provider: object, more: object = {}) => {
    const oauth = { providers: [{ alias: 'one', client_id: 'c', ...provider }], ...more }
    return configWith({ identity: { oauth } }).warnings.map((text) => text.replace(/: .*/s, ''))
  }
  const listed = { allowed_redirect_uris: ['https://app.example.com/cb'] }

  it('say that browsers may be sent anywhere', () => {
    expect(warningsOf({ type: 'google' })).toEqual(['identity.oauth.allowed_redirect_uris'])
    expect(warningsOf({ type: 'google' }, listed)).toEqual([])
  })

  it.each(['common', 'organizations'])('say that the tenant %s is open to all', (tenant) => {
    const trusting = { claims: { email: { assume_verified: true } } }
    expect(warningsOf({ type: 'azureadv2', tenant }, listed)).toEqual([])
    expect(warningsOf({ type: 'azureadv2', tenant, ...trusting }, listed)).toEqual([
      'identity.oauth.providers[0].claims.email.assume_verified',
    ])
    expect(warningsOf({ type: 'azureadv2', tenant: 'contoso', ...trusting }, listed)).toEqual([])
  })
})

describe('providers among the identities', () => {
  it('are enough for the generated flows', () => {
    const onlyProviders = {
      identity: {
        login_id: { keys: [] },
        oauth: { providers: [google], allowed_redirect_uris: ['https://app.example.com/cb'] },
      },
    }
    expect(configWith(onlyProviders).warnings).toEqual([])
  })

  it('are never offered where oauth is no identity', () => {
    const sections = { ...withProviders(google), authentication: { identities: ['login_id'] } }
    expect(configWith(sections).warnings).toEqual([
      'authentication.identities: lacks oauth, so the providers of identity.oauth are never offered',
    ])
  })
})

describe('what happens to somebody anonymous whose identity is taken', () => {
  it('is an error, or a login', () => {
    const promotionOf = (on_conflict: object): string =>
      configWith({ identity: { on_conflict } }).identity.on_conflict.promotion
    expect(promotionOf({})).toBe('error')
    expect(promotionOf({ promotion: 'login' })).toBe('login')
    expect(codesIn({ identity: { on_conflict: { promotion: 'link' } } })).toEqual([
      'identity.on_conflict.promotion out_of_range',
    ])
  })
})
