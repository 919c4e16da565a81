import { describe, expect, it } from 'vitest'
import { codesIn, configWith, messagesIn } from './config.fixture.ts'

const email = { pointer: '/email' }
const providers = [
  { alias: 'google', type: 'google', client_id: 'g' },
  { alias: 'closed', type: 'github', client_id: 'h', create_disabled: true },
]
const identity = {
  login_id: {
    keys: [
      { type: 'email' },
      { type: 'email', key: 'work' },
      { type: 'phone', create_disabled: true },
      { type: 'username' },
    ],
  },
  oauth: { providers, allowed_redirect_uris: ['https://app.example.com/cb'] },
}

const rule = { alias: 'google', oauth_claim: email, user_profile: email }
const keyRule = { key: 'email', user_profile: email }
const link = { action: 'login_and_link' }

const linking = (account_linking: object, more: object = {}): object => ({
  identity,
  account_linking,
  ...more,
})

describe('rules of account linking', () => {
  it('are none where the document is silent', () => {
    const none = { oauth: [], login_id: [], allow_unverified: false }
    expect(configWith().account_linking).toEqual(none)
    expect(configWith({ account_linking: {} }).account_linking).toEqual(none)
  })

  it('of providers compare the claim they name, and are errors unless they say otherwise', () => {
    const names = {
      ...rule,
      name: 'names',
      ...link,
      user_profile: { pointer: '/preferred_username' },
    }
    expect(
      configWith(linking({ oauth: [rule, names], allow_unverified: true })).account_linking,
    ).toEqual({
      oauth: [
        { name: undefined, source: 'google', claim: 'email', user_claim: 'email', action: 'error' },
        {
          name: 'names',
          source: 'google',
          claim: 'email',
          user_claim: 'preferred_username',
          action: 'login_and_link',
        },
      ],
      login_id: [],
      allow_unverified: true,
    })
  })

  it('of login IDs compare the claim of their key, wherever the keys are in the document', () => {
    const rules = ['email', 'work', 'phone', 'username'].map((key) => ({ ...keyRule, key }))
    const claims = configWith({
      account_linking: { login_id: rules },
      identity,
    }).account_linking.login_id.map(({ source, claim }) => [source, claim])
    expect(claims).toEqual([
      ['email', 'email'],
      ['work', 'email'],
      ['phone', 'phone_number'],
      ['username', 'preferred_username'],
    ])
  })

  it('may be for the key that is there by default', () => {
    const { account_linking } = configWith({ account_linking: { login_id: [keyRule] } })
    expect(account_linking.login_id).toMatchObject([{ source: 'email', claim: 'email' }])
  })

  it('have no effect for providers and keys that are not there, with a warning', () => {
    const oauth = [{ ...rule, alias: 'gogle' }, rule, { ...rule, alias: 'somebody' }]
    const login_id = [
      { ...keyRule, key: 'phne' },
      { ...keyRule, key: 'wrok' },
    ]
    const config = configWith(linking({ oauth, login_id }))
    const idle = 'the rule has no effect'
    expect(config.warnings).toEqual(
      expect.arrayContaining([
        `account_linking.oauth[0].alias: ${idle}: there is no provider "gogle"; did you mean "google"?`,
        `account_linking.oauth[2].alias: ${idle}: there is no provider "somebody"`,
        `account_linking.login_id[0].key: ${idle}: there is no login ID key "phne"; did you mean "phone"?`,
        `account_linking.login_id[1].key: ${idle}: there is no login ID key "wrok"; did you mean "work"?`,
      ]),
    )
    expect(config.account_linking.login_id).toEqual([])
  })

  it('do not complain of providers and keys that are there and not sound', () => {
    const broken = {
      login_id: {
        keys: [
          { type: 'mail', key: 'own' },
          { type: 'email', key: 'work', max_length: 0 },
        ],
      },
      oauth: { providers: [{ alias: 'hub', type: 'gitlab' }] },
    }
    const account_linking = {
      oauth: [{ ...rule, alias: 'hub' }],
      login_id: [
        { ...keyRule, key: 'own' },
        { ...keyRule, key: 'work' },
      ],
    }
    expect(codesIn({ identity: broken, account_linking })).toEqual([
      'identity.login_id.keys[0].type out_of_range',
      'identity.oauth.providers[0].type out_of_range',
    ])
  })

  it('may share a name with another of their sort, and are overridden together', () => {
    const oauth = [{ ...rule, name: 'a' }, rule, rule, { ...rule, name: 'a' }]
    const { warnings } = configWith(linking({ oauth, login_id: [{ ...keyRule, name: 'a' }] }))
    expect(warnings).toEqual([
      'account_linking.oauth[3].name: is the name of an earlier rule too: flows mean both',
    ])
  })

  it('are refused with all that is wrong with them', () => {
    const oauth = [
      {},
      { ...rule, oauth_claim: { pointer: '/mail' }, user_profile: '/email', action: 'link' },
      { ...rule, oauth_claim: {}, key: 'email', name: '' },
      5,
    ]
    const login_id = [{ ...keyRule, alias: 'google' }, { user_profile: { pointer: 'email' } }]
    expect(codesIn(linking({ oauth, login_id, allow_unverified: 'yes' }))).toEqual([
      'account_linking.oauth[0].alias required',
      'account_linking.oauth[0].oauth_claim required',
      'account_linking.oauth[0].user_profile required',
      'account_linking.oauth[1].oauth_claim.pointer out_of_range',
      'account_linking.oauth[1].user_profile wrong_type',
      'account_linking.oauth[1].action out_of_range',
      'account_linking.oauth[2].oauth_claim.pointer required',
      'account_linking.oauth[3] wrong_type',
      'account_linking.login_id[1].key required',
      'account_linking.login_id[1].user_profile.pointer out_of_range',
      'account_linking.allow_unverified wrong_type',
    ])
  })
})

describe('a rule by which nothing is ever linked', () => {
  const warnings = (account_linking: object, more: object = {}): readonly string[] =>
    configWith(linking(account_linking, more)).warnings

  const oauth = { ...rule, ...link }
  const login_id = { ...keyRule, ...link }
  const phone = { pointer: '/phone_number' }
  const name = { pointer: '/preferred_username' }

  it.each([
    [
      { oauth: [{ ...oauth, alias: 'closed' }] },
      'oauth[0]',
      'the provider has create_disabled: true',
    ],
    [
      { oauth: [rule, { ...oauth, user_profile: phone }] },
      'oauth[1]',
      'no email address is a phone number',
    ],
    [
      { oauth: [{ ...oauth, oauth_claim: name }] },
      'oauth[0]',
      'no provider verifies names, and allow_unverified is false',
    ],
    [
      { login_id: [{ ...login_id, key: 'work' }] },
      'login_id[0]',
      'login IDs of the type are made under "email"',
    ],
    [
      { login_id: [{ ...login_id, user_profile: phone }] },
      'login_id[0]',
      'no email address is a phone number',
    ],
  ])('is warned of: %j', (rules, path, reason) => {
    expect(warnings(rules)).toEqual([`account_linking.${path}: never links: ${reason}`])
  })

  it('is warned of where nobody signs up, or not by this', () => {
    const closed = { authentication: { public_signup_disabled: true } }
    expect(warnings({ oauth: [oauth] }, closed)).toEqual([
      'account_linking.oauth[0]: never links: nobody can sign up',
    ])
    const promoted = {
      public_signup_disabled: true,
      identities: ['oauth', 'login_id', 'anonymous'],
    }
    expect(warnings({ oauth: [oauth] }, { authentication: promoted })).toEqual([])
    expect(
      warnings({ login_id: [login_id] }, { authentication: { identities: ['oauth'] } }),
    ).toEqual([
      'account_linking.login_id[0]: never links: authentication.identities lacks login_id',
    ])
  })

  it('is none where it can link, nor where it only says error', () => {
    expect(warnings({ oauth: [oauth], login_id: [login_id] })).toEqual([])
    expect(warnings({ oauth: [{ ...oauth, oauth_claim: name }], allow_unverified: true })).toEqual(
      [],
    )
    expect(warnings({ oauth: [{ ...rule, alias: 'closed' }] })).toEqual([])
  })
})

describe('overrides of rules in a flow', () => {
  const flows = (
    account_linking: unknown,
    identification = 'oauth',
    more: object = {},
  ): object => ({
    authentication_flow: {
      signup_flows: [
        {
          name: 'mine',
          steps: [{ type: 'identify', one_of: [{ identification, account_linking }] }],
        },
      ],
      ...more,
    },
  })
  const rules = { oauth: [{ ...rule, name: 'mail' }], login_id: [{ ...keyRule, name: 'own' }] }
  const at = 'authentication_flow.signup_flows[0].steps[0].one_of[0].account_linking'
  const login = [
    {
      name: 'mine',
      steps: [
        { type: 'identify', one_of: [{ identification: 'email' }] },
        { type: 'authenticate', one_of: [{ authentication: 'primary_password' }] },
      ],
    },
  ]

  it('name rules of their sort and logins that are there', () => {
    const wrong = {
      oauth: [{ name: 'mial' }, { name: 'mail', login_flow: 'mnie' }],
      login_id: [{ name: 'mail' }, { name: 'own', login_flow: 'default' }],
    }
    expect(messagesIn(linking(rules, flows(wrong, 'oauth', { login_flows: login })))).toEqual([
      `${at}.oauth[0].name: account_linking.oauth has no rule "mial"; did you mean "mail"?`,
      `${at}.oauth[1].login_flow: there is no login flow "mnie"; did you mean "mine"?`,
      `${at}.login_id[0].name: account_linking.login_id has no rule "mail"`,
    ])
  })

  it('do not complain of a rule that is there and not sound', () => {
    const oauth = [{ name: 'mail', alias: 'google' }]
    expect(codesIn(linking({ oauth }, flows({ oauth: [{ name: 'mail' }] })))).toEqual([
      'account_linking.oauth[0].oauth_claim required',
      'account_linking.oauth[0].user_profile required',
    ])
  })

  it('are refused where they are not sound', () => {
    const wrong = {
      oauth: [{}, { name: 'mail', action: 'x', login_flow: '1', alias: 'google' }],
      key: [],
    }
    expect(codesIn(linking(rules, flows(wrong)))).toEqual([
      `${at}.oauth[0].name required`,
      `${at}.oauth[1].action out_of_range`,
      `${at}.oauth[1].login_flow out_of_range`,
    ])
  })

  it('have no effect where nobody signs up', () => {
    const steps = [{ type: 'identify', one_of: [{ identification: 'oauth', account_linking: {} }] }]
    expect(
      configWith({ authentication_flow: { login_flows: [{ name: 'a', steps }] } }).warnings,
    ).toEqual([
      'authentication_flow.login_flows[0].steps[0].one_of[0].account_linking: has no effect here',
    ])
  })

  const missing =
    'authentication_flow.signup_flows: the flow "mine" links accounts by way of a login flow of the same name, which is not there'
  const linked = {
    oauth: [{ ...rule, ...link, name: 'mail' }],
    login_id: [{ ...keyRule, name: 'own' }],
  }

  it('need a login of the same name as the sign-up, or to name one', () => {
    const warnings = (written: object, sections: object): readonly string[] =>
      configWith(linking(written, sections)).warnings
    expect(warnings(linked, flows({}))).toEqual([missing])
    expect(warnings(linked, flows({}, 'email'))).toEqual([])
    expect(warnings(rules, flows({}))).toEqual([])
    expect(warnings(rules, flows({ login_id: [{ name: 'own', ...link }] }, 'email'))).toEqual([
      missing,
    ])
    expect(warnings(linked, flows({ oauth: [{ name: 'mail', action: 'error' }] }))).toEqual([])
    expect(warnings(linked, flows({ oauth: [{ name: 'mail', login_flow: 'default' }] }))).toEqual(
      [],
    )
    expect(warnings(linked, flows({}, 'oauth', { login_flows: login }))).toEqual([])
  })
})
