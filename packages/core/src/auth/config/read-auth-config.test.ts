import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { isWide, sampleOf } from '../../../../../test-support/lane.ts'
import { parseDocument } from '../../document/parse-document.ts'
import { codesIn, configWith, documentWith, messagesIn, problemsIn } from './config.fixture.ts'
import { defaultAuthConfig } from './default-config.fixture.ts'
import { decodeAuthConfig, readAuthConfig } from './read-auth-config.ts'

const origin = 'https://auth.example.com'
const least = `id: test\nhttp: { public_origin: ${origin} }\n`
const defaults = defaultAuthConfig('test', origin)

/** Every key that says something, with its default. */
const everything = `
id: test
http:
  public_origin: https://auth.example.com
  base_path: ""
  allowed_origins: []
  cookie_prefix: ""
  allow_insecure: false
authentication:
  identities: [oauth, login_id]
  primary_authenticators: [password]
  secondary_authenticators: [totp]
  secondary_authentication_mode: if_exists
  secondary_applies_to: []
  secondary_authentication_grace_period: { enabled: false }
  device_token: { disabled: false, expire_in_days: 30, revoke_on_password_change: true, revoke_on_password_reset: true }
  recovery_code: { disabled: false, count: 16 }
  public_signup_disabled: false
  enumeration_protection: off
  rate_limits: {}
  lockout: {}
identity:
  login_id:
    keys: [{ type: email }]
    types:
      email:
        case_sensitive: false
        block_plus_sign: false
        ignore_dot_sign: false
        domain_blocklist_enabled: false
        domain_allowlist_enabled: false
        block_free_email_provider_domains: false
        block_disposable_email_domains: false
      username:
        { block_reserved_usernames: true, exclude_keywords_enabled: false, ascii_only: true, case_sensitive: false }
  oauth: { providers: [] }
  on_conflict: { promotion: error }
account_linking: { oauth: [], login_id: [], allow_unverified: false }
bot_protection:
  enabled: false
  requirements:
    signup_or_login: { mode: never }
    account_recovery: { mode: never }
    password: { mode: never }
    oob_otp_email: { mode: never }
    oob_otp_sms: { mode: never }
authenticator:
  password:
    policy:
      min_length: 8
      uppercase_required: false
      lowercase_required: false
      alphabet_required: false
      digit_required: false
      symbol_required: false
      minimum_guessable_level: 0
      excluded_keywords: []
      history_size: 0
      history_days: 0
    force_change: true
    expiry: { force_change: { enabled: false } }
  totp: { maximum: 99 }
  oob_otp:
    email: { maximum: 99, email_otp_mode: code, valid_periods: { code: 300s, link: 20m } }
    sms: { maximum: 99, phone_otp_mode: whatsapp_sms, valid_periods: { code: 300s, link: 20m } }
verification:
  claims:
    email: { enabled: true, required: true, otp_form: code }
    phone_number: { enabled: true, required: true }
  criteria: any
  code_valid_period: 300s
  rate_limits: {}
forgot_password:
  enabled: true
  valid_periods: { code: 300s, link: 20m }
  revoke_sessions: true
  reset_lockout: false
  rate_limits: {}
session:
  lifetime_seconds: 31449600
  idle_timeout_enabled: true
  idle_timeout_seconds: 2592000
  use_session_cookie: false
  revoke_on_password_change: true
user_profile:
  standard_attributes: { population: { strategy: on_signup } }
  custom_attributes: { attributes: [] }
oauth: { clients: [] }
authentication_flow:
  lifetime: 20m
  rate_limits: { per_ip: { enabled: true, period: 1m, burst: 1200 } }
ui:
  passkey_upselling_opt_out_enabled: false
  forgot_password:
    email: [{ channel: email, otp_form: link }]
    phone: [{ channel: sms, otp_form: code }]
  phone_input: { validation: { implementation: libphonenumber, libphonenumber: { validation_method: isValidNumber } } }
  authentication_flow: { groups: [] }
messaging: { rate_limits: {} }
links: {}
test_mode: {}
hook: { sync_hook_timeout_seconds: 5, sync_hook_total_timeout_seconds: 10 }
`

/** The same with something wherever lists are empty. */
const filled = everything
  .replace(
    'oauth: { providers: [] }',
    `oauth:
    providers:
      - { alias: a, type: azureadb2c, client_id: c, tenant: t, policy: p, scope_override: [openid] }
      - { alias: b, type: oidc, client_id: c, discovery_document_endpoint: "https://id.example.com/x", claims: { email: { required: true } } }
    allowed_redirect_uris: ["https://app.example.com/back"]`,
  )
  .replace(
    'account_linking: { oauth: [], login_id: [],',
    `account_linking: {
  oauth: [{ name: o, alias: a, oauth_claim: { pointer: /email }, user_profile: { pointer: /email } }],
  login_id: [{ name: l, key: email, user_profile: { pointer: /email }, action: login_and_link }],`,
  )
  .replace('opt_out_enabled: false', 'opt_out_enabled: true')
  .replace('bot_protection:', 'bot_protection:\n  provider: { type: cloudflare, site_key: k }')
  .replace(
    'authentication_flow:',
    `authentication_flow:
  signup_flows:
    - name: mine
      steps:
        - type: identify
          one_of:
            - identification: oauth
              bot_protection: { mode: never }
              account_linking: { oauth: [{ name: o, action: error, login_flow: default }] }
        - { type: prompt_create_passkey }`,
  )

describe('readAuthConfig', () => {
  it('fills in every default of a document that says nothing', () => {
    expect(readAuthConfig(least)).toEqual(defaults)
    expect(readAuthConfig(documentWith({}))).toEqual(defaults)
    expect(readAuthConfig({ text: JSON.stringify(documentWith({})) })).toEqual(defaults)
    expect(readAuthConfig({ text: least, filename: 'auth.yaml', format: 'yaml' })).toEqual(defaults)
  })

  it('takes every key, and needs none but the id and the public origin', () => {
    expect(readAuthConfig(everything)).toEqual(defaults)
    expect(problemsIn('{}').map(({ path, code }) => `${path} ${code}`)).toEqual([
      'id required',
      'http required',
    ])
    expect(problemsIn('id: x\nhttp: {}').map(({ path }) => path)).toEqual(['http.public_origin'])
  })

  it('takes something wherever lists are empty', () => {
    expect(readAuthConfig(filled)).toMatchObject({
      identity: { oauth: { providers: [{ alias: 'a' }, { alias: 'b' }] } },
      account_linking: { oauth: [{ source: 'a' }], login_id: [{ source: 'email' }] },
      bot_protection: { provider: { type: 'cloudflare' } },
      authentication_flow: { flows: [{ name: 'mine' }] },
      ui: { passkey_upselling_opt_out_enabled: true },
      warnings: [],
    })
  })

  it('decodes the nodes of a document that somebody else has read', () => {
    expect(decodeAuthConfig(parseDocument({ text: least }))).toEqual(defaults)
  })

  it('tells all problems at once, each with its place, and quotes no value', () => {
    const text = `id: test
http: { public_origin: "sup3rsecret" }
authentication: { recovery_code: { count: 5 } }
identity:
  login_id:
    keys: [{ typ: email }]
oauth: { clients: [{ client_id: "a/b", redirect_uris: [5] }] }
`
    expect(problemsIn({ text, filename: 'auth.yaml' })).toEqual([
      {
        path: 'http.public_origin',
        pointer: '/http/public_origin',
        code: 'out_of_range',
        message: 'must be an origin such as https://auth.example.com, without a path',
        line: 2,
        column: 24,
      },
      {
        path: 'authentication.recovery_code.count',
        pointer: '/authentication/recovery_code/count',
        code: 'out_of_range',
        message: 'must be from 10 to 50',
        line: 3,
        column: 43,
      },
      {
        path: 'identity.login_id.keys[0].type',
        pointer: '/identity/login_id/keys/0/type',
        code: 'required',
        message: 'is missing',
        line: 6,
        column: 12,
      },
      {
        path: 'identity.login_id.keys[0].typ',
        pointer: '/identity/login_id/keys/0/typ',
        code: 'unknown_key',
        message: 'unknown key "typ"; did you mean "type"?',
        line: 6,
        column: 14,
      },
      {
        path: 'oauth.clients[0].redirect_uris[0]',
        pointer: '/oauth/clients/0/redirect_uris/0',
        code: 'wrong_type',
        message: 'must be text: put it in quotes',
        line: 7,
        column: 56,
      },
    ])
  })

  it('throws InvalidConfig with a line for each problem', () => {
    expect(() => readAuthConfig({ text: 'id: 5\nhttp: 6', filename: 'a.yaml' })).toThrow(
      expect.objectContaining({
        kind: 'Invalid',
        reason: 'InvalidConfig',
        message:
          'a.yaml:1:5 id: must be text: put it in quotes\na.yaml:2:7 http: must be a mapping',
      }),
    )
  })

  it.each([
    ['id: test\nid: test', 'duplicate key "id"'],
    ['id: [', undefined],
    ['a: &a [1]\nb: [*a, &b [*b]]', undefined],
    ['--- {}\n--- {}', 'only one document is allowed'],
    ['id: !ruby/object x', 'only the tags of the core schema are allowed, such as !!str'],
  ])('refuses %j as no document, with the whole of it as the place', (text, message) => {
    const problems = problemsIn(text)
    expect(problems).toMatchObject([
      { path: '', pointer: '', code: 'syntax', line: 1 + Number(text.includes('\n')) },
    ])
    if (message !== undefined) expect(problems[0]?.message).toBe(message)
  })

  it.each(['null', '', '"x"', '5', '[]', '[1]', 'true'])('refuses the document %s', (text) => {
    expect(problemsIn({ text })).toMatchObject([{ path: '', pointer: '', code: 'wrong_type' }])
  })

  it('refuses objects that contain themselves', () => {
    const loop: Record<string, unknown> = { ...documentWith({}) }
    loop.ui = loop
    expect(problemsIn(loop)).toMatchObject([{ path: '', pointer: '', code: 'syntax' }])
  })
})

describe('a document that somebody else has changed', () => {
  const areDescribed = (problems: ReturnType<typeof problemsIn>): boolean =>
    problems.every(({ path, pointer, code, message }) =>
      [path, pointer, code, message].every(
        (part) => typeof part === 'string' && part.length < 1_000,
      ),
    )

  it('is read or refused, whatever was cut out or put in', () => {
    const inserted = [
      '- ',
      ': ',
      '{',
      ']',
      '"',
      '*x ',
      '&x ',
      '!!',
      '\n',
      '\t',
      '# ',
      '? ',
      '| ',
      '\u0000',
    ]
    let refused = 0
    for (let at = 0; at < everything.length; at += isWide ? 31 : 93) {
      const changes = [
        everything.slice(0, at) + everything.slice(at + 3),
        everything.slice(0, at),
        everything.slice(0, at) + (inserted[at % inserted.length] ?? '') + everything.slice(at),
      ]
      const found = changes.map(problemsIn)
      expect(found.map(areDescribed)).toEqual([true, true, true])
      refused += found.filter(({ length }) => length > 0).length
    }
    expect(refused).toBeGreaterThan(50)
  })

  it('is read or refused, whatever stands in place of a value', () => {
    const odd = [
      null,
      '',
      'x',
      -1,
      1e308,
      Number.NaN,
      true,
      [],
      [null],
      {},
      { x: {} },
      [[]],
      () => 1,
    ]
    // Each place gets a third of the values.
    const isInLane = sampleOf(3)
    const paths: (readonly string[])[] = []
    const collect = (value: unknown, path: readonly string[]): void => {
      if (path.length > 0) paths.push(path)
      if (typeof value !== 'object' || value === null) return
      for (const [key, member] of Object.entries(value)) collect(member, [...path, key])
    }
    const original: unknown = parse(filled)
    collect(original, [])
    for (const [place, path] of paths.entries()) {
      for (const [which, value] of odd.entries()) {
        if (!isInLane(place, which)) continue
        const document: unknown = structuredClone(original)
        const parent = path
          .slice(0, -1)
          .reduce<unknown>((at, key) => Reflect.get(Object(at), key), document)
        Reflect.set(Object(parent), path.at(-1) ?? '', value)
        const isDescribed = areDescribed(problemsIn(Object(document)))
        expect([path, value, isDescribed]).toEqual([path, value, true])
      }
    }
    expect(paths.length).toBeGreaterThan(220)
  })
})

describe('keys outside of the service', () => {
  it('are passed over with one warning each', () => {
    const config = configWith({
      branding: { logo: 'x' },
      app: 5,
      something_new: [],
      identity: { passkey: {} },
      oauth: { clients: [{ client_id: 'a', name: 'A', grant_types: ['x'] }] },
      ui: { signup_login_flow_enabled: true },
    })
    expect(config.warnings).toEqual([
      'branding: is a section that has no effect here',
      'app: is a section that has no effect here',
      'something_new: is a section that has no effect here',
      'identity.passkey: has no effect here',
      'oauth.clients[0].name: has no effect here',
      'oauth.clients[0].grant_types: has no effect here',
      'ui.signup_login_flow_enabled: has no effect here',
    ])
  })

  it('are refused where they look like keys of the service', () => {
    expect(messagesIn({ authenticaton: {}, Session: {}, authentication_flows: {} })).toEqual([
      'authenticaton: unknown key "authenticaton"; did you mean "authentication"?',
      'Session: unknown key "Session"; did you mean "session"?',
      'authentication_flows: unknown key "authentication_flows"; did you mean "authentication_flow"?',
    ])
  })

  it.each([
    [{ authentication: { identites: [] } }, 'identities'],
    [{ authentication: { rate_limits: { pasword: {} } } }, 'password'],
    [{ authentication: { rate_limits: { general: { perIp: {} } } } }, 'per_ip'],
    [{ authenticator: { password: { policy: { minLength: 8 } } } }, 'min_length'],
    [
      { identity: { login_id: { types: { email: { block_plus_signs: true } } } } },
      'block_plus_sign',
    ],
    [{ identity: { oauth: { provider: [] } } }, 'providers'],
    [{ account_linking: { login_ids: [] } }, 'login_id'],
    [{ bot_protection: { requirements: { passwords: {} } } }, 'password'],
    [{ session: { lifetime_second: 5 } }, 'lifetime_seconds'],
    [{ user_profile: { custom_attributes: { attribute: [] } } }, 'attributes'],
    [{ ui: { phone_input: { allow_list: ['HK'] } } }, 'allowlist'],
    [{ test_mode: { oob_otp: { enable: true } } }, 'enabled'],
    [{ links: { reset_pasword: 'https://x/{code}' } }, 'reset_password'],
    [{ hook: { sync_hook_timeout: 5 } }, undefined],
  ])('within a section of the service are refused: %j', (sections, meant) => {
    const [problem, ...others] = problemsIn(documentWith(sections))
    expect(others).toEqual([])
    expect(problem?.code).toBe('unknown_key')
    if (meant !== undefined) expect(problem?.message).toContain(`did you mean "${meant}"?`)
  })
})

describe('login ID keys', () => {
  const keys = (...list: readonly object[]): object => ({ identity: { login_id: { keys: list } } })

  it('have the defaults of their type', () => {
    const config = configWith(
      keys(
        { type: 'phone' },
        { type: 'username', key: 'nick', max_length: 20, create_disabled: true },
      ),
    )
    const open = { create_disabled: false, update_disabled: false, delete_disabled: false }
    expect(config.identity.login_id.keys).toEqual([
      { type: 'phone', key: 'phone', max_length: 40, ...open },
      { type: 'username', key: 'nick', max_length: 20, ...open, create_disabled: true },
    ])
  })

  it('have names of their own', () => {
    expect(configWith(keys({ type: 'email' }, { type: 'email' })).warnings).toEqual([
      'identity.login_id.keys[1]: has no effect: the key "email" is here already',
    ])
    expect(codesIn(keys({ type: 'email' }, { type: 'email', key: 'work' }))).toEqual([])
  })

  it('take the old spelling of what may not be changed', () => {
    const config = configWith(
      keys({ type: 'email', modify_disabled: true, update_disabled: false }),
    )
    expect(config.identity.login_id.keys).toMatchObject([
      { create_disabled: true, update_disabled: false, delete_disabled: true },
    ])
    expect(config.warnings).toEqual([
      'identity.login_id.keys[0].modify_disabled: is now create_disabled, update_disabled and delete_disabled',
    ])
  })

  it('of emails have domains that are let in or kept out, not both', () => {
    const email = {
      domain_allowlist_enabled: true,
      domain_blocklist_enabled: true,
      block_free_email_provider_domains: true,
      block_disposable_email_domains: true,
    }
    expect(codesIn({ identity: { login_id: { types: { email } } } })).toEqual([
      'identity.login_id.types.email.domain_blocklist_enabled conflict',
      'identity.login_id.types.email.block_free_email_provider_domains conflict',
    ])
  })
})

describe('the expiry of passwords', () => {
  it('needs a length of time', () => {
    const expiry = (force_change: object): object => ({
      authenticator: { password: { expiry: { force_change } } },
    })
    const config = configWith(expiry({ enabled: true, duration_since_last_update: '2160h' }))
    expect(config.authenticator.password.expiry.force_change).toEqual({
      enabled: true,
      duration_since_last_update_ms: 90 * 86_400_000,
    })
    const path = 'authenticator.password.expiry.force_change.duration_since_last_update'
    expect(codesIn(expiry({ enabled: true }))).toEqual([`${path} required`])
  })
})

describe('custom attributes', () => {
  const attributes = (...list: readonly object[]): object => ({
    user_profile: { custom_attributes: { attributes: list } },
  })

  it('have a pointer of their own, and what their type needs', () => {
    const height = { id: '1', pointer: '/x_height', type: 'number', minimum: 0.5, maximum: 3 }
    const size = { id: '2', pointer: '/x_size', type: 'enum', enum: ['s', 'm'], access_control: {} }
    const config = configWith(attributes(height, size))
    expect(config.user_profile.custom_attributes.attributes).toEqual([
      height,
      {
        id: '2',
        pointer: '/x_size',
        type: 'enum',
        enum: ['s', 'm'],
      },
    ])
    const wrong = attributes(
      { ...height, minimum: 5 },
      { ...height, type: 'enum' },
      { id: '3', pointer: '/given_name', type: 'string' },
      { id: '4', pointer: '/x/y', type: 'text' },
    )
    expect(codesIn(wrong)).toEqual([
      'user_profile.custom_attributes.attributes[0].maximum conflict',
      'user_profile.custom_attributes.attributes[1].enum required',
      'user_profile.custom_attributes.attributes[1].id conflict',
      'user_profile.custom_attributes.attributes[1].pointer conflict',
      'user_profile.custom_attributes.attributes[2].pointer out_of_range',
      'user_profile.custom_attributes.attributes[3].pointer out_of_range',
      'user_profile.custom_attributes.attributes[3].type out_of_range',
    ])
  })
})

describe('phone numbers and recovery', () => {
  it('take countries by their codes', () => {
    const input = (phone_input: object): object => ({ ui: { phone_input } })
    const config = configWith(
      input({
        allowlist: ['HK', 'US'],
        validation: { libphonenumber: { validation_method: 'isPossibleNumber' } },
      }),
    )
    expect(config.ui.phone_input).toEqual({
      allowlist: ['HK', 'US'],
      validation_method: 'isPossibleNumber',
    })
    expect(codesIn(input({ allowlist: [] }))).toEqual(['ui.phone_input.allowlist empty'])
    expect(
      codesIn(input({ allowlist: ['hk', 'XX'], validation: { implementation: 'other' } })),
    ).toEqual([
      'ui.phone_input.allowlist[0] out_of_range',
      'ui.phone_input.allowlist[1] out_of_range',
      'ui.phone_input.validation.implementation out_of_range',
    ])
  })

  it('send each kind of code by what can carry it', () => {
    const recovery = (phone: readonly object[]): object => ({ ui: { forgot_password: { phone } } })
    const config = configWith(recovery([{ channel: 'whatsapp', otp_form: 'code' }]))
    expect(config.ui.forgot_password).toEqual({
      email: [{ channel: 'email', otp_form: 'link' }],
      phone: [{ channel: 'whatsapp', otp_form: 'code' }],
    })
    expect(codesIn(recovery([{ channel: 'whatsapp', otp_form: 'link' }]))).toEqual([
      'ui.forgot_password.phone[0].otp_form conflict',
    ])
    const none = configWith(recovery([]))
    expect(none.ui.forgot_password.phone).toEqual([])
    expect(none.warnings).toEqual(['ui.forgot_password.phone: is empty: nothing can be sent'])
  })
})
