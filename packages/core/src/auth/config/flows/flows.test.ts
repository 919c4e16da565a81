import { describe, expect, it } from 'vitest'
import { parseDocument } from '../../../document/parse-document.ts'
import { findFlow } from '../../default-flows/find-flow.ts'
import { codesIn, configWith, documentWith, messagesIn, problemsIn } from '../config.fixture.ts'
import type { FlowDefinition, FlowType } from '../flow-definition.ts'
import { readAuthConfig } from '../read-auth-config.ts'

/** A flow list of the document with one flow. */
function flow(type: FlowType, steps: readonly unknown[], name = 'mine'): object {
  return { authentication_flow: { [`${type}_flows`]: [{ name, steps }] } }
}

function read(type: FlowType, steps: readonly unknown[]): FlowDefinition | undefined {
  return findFlow(configWith(flow(type, steps)), type, 'mine')
}

const problems = (type: FlowType, steps: readonly unknown[]): readonly string[] =>
  messagesIn(flow(type, steps)).map((line) => {
    return line.replace(/^authentication_flow\.\w+_flows\[0\]\.steps/, '')
  })

const identify = { type: 'identify', name: 'who', one_of: [{ identification: 'email' }] }
const authenticate = { type: 'authenticate', one_of: [{ authentication: 'primary_password' }] }

/** One flow of each type in which every key of the grammar stands. */
const declared = `
authentication_flow:
  signup_flows:
    - name: default
      steps:
        - name: who
          type: identify
          one_of:
            - identification: email
              steps:
                - type: verify
                  target_step: who
                - name: first
                  type: create_authenticator
                  one_of:
                    - authentication: primary_password
                    - authentication: primary_oob_otp_email
                      target_step: who
                      verification_required: false
                      steps:
                        - type: view_recovery_code
            - identification: username
              bot_protection: { mode: always }
            - identification: oauth
              account_linking:
                oauth: [{ name: mail, action: login_and_link, login_flow: other }, { name: names }]
        - name: phone
          type: identify
          one_of: [{ identification: phone }]
        - type: fill_in_user_profile
          user_profile: [{ pointer: /given_name, required: true }, { pointer: /x_height, required: false }]
        - type: prompt_create_passkey
  promote_flows:
    - name: p
      steps:
        - { type: identify, one_of: [{ identification: email, account_linking: { login_id: [{ name: own }] } }] }
  login_flows:
    - name: default
      steps:
        - name: who
          type: identify
          one_of:
            - { identification: select_account }
            - { identification: email, bot_protection: { mode: never } }
            - { identification: oauth }
            - { identification: passkey }
            - { identification: id_token }
        - name: how
          type: authenticate
          one_of:
            - { authentication: primary_password, bot_protection: { mode: always } }
            - { authentication: primary_passkey }
            - { authentication: primary_oob_otp_sms, target_step: who, steps: [] }
        - type: authenticate
          optional: true
          one_of:
            - authentication: secondary_totp
            - authentication: recovery_code
            - authentication: device_token
        - type: change_password
          target_step: how
        - type: check_account_status
        - type: terminate_other_sessions
        - type: prompt_create_passkey
    - name: other
      steps:
        - { type: identify, one_of: [{ identification: email, steps: [{ type: authenticate, one_of: [{ authentication: primary_password }] }] }] }
  signup_login_flows:
    - name: both
      steps:
        - type: identify
          one_of:
            - { identification: select_account, login_flow: other }
            - { identification: passkey, login_flow: other, bot_protection: { mode: always } }
            - { identification: email, signup_flow: default, login_flow: other }
            - { identification: oauth, signup_flow: default, login_flow: other }
  reauth_flows:
    - name: again
      steps:
        - { type: identify, one_of: [{ identification: id_token }] }
        - { type: authenticate, one_of: [{ authentication: primary_password }, { authentication: secondary_totp }] }
  account_recovery_flows:
    - name: default
      steps:
        - type: identify
          one_of:
            - identification: email
              on_failure: error
              bot_protection: { mode: always }
              steps:
                - type: select_destination
                  enumerate_destinations: true
                  allowed_channels: [{ channel: email, otp_form: code }, { channel: whatsapp, otp_form: code }]
        - type: verify_account_recovery_code
        - type: reset_password
user_profile: { custom_attributes: { attributes: [{ id: h, pointer: /x_height, type: number }] } }
identity: { oauth: { providers: [{ alias: google, type: google, client_id: g }], allowed_redirect_uris: ["https://app.example.com/cb"] } }
account_linking:
  oauth:
    - { name: mail, alias: google, oauth_claim: { pointer: /email }, user_profile: { pointer: /email } }
    - { name: names, alias: google, oauth_claim: { pointer: /email }, user_profile: { pointer: /preferred_username } }
  login_id: [{ name: own, key: email, user_profile: { pointer: /email } }]
bot_protection: { enabled: true, provider: { type: cloudflare } }
`

/** The text without the names that are its indentation's. */
function plain(node: ReturnType<typeof parseDocument>): unknown {
  if (node.kind === 'sequence') return node.items.map(plain)
  if (node.kind === 'mapping') {
    return Object.fromEntries(
      node.entries.map(({ key, value }) => [key.kind === 'scalar' ? key.text : '', plain(value)]),
    )
  }
  if (node.isPlain && /^(?:true|false)$/.test(node.text)) return node.text === 'true'
  return node.text
}

describe('declared flows', () => {
  it('become definitions with the keys they are written with', () => {
    const basics = 'id: test\nhttp: { public_origin: https://auth.example.com }\n'
    const config = readAuthConfig(basics + declared)
    const { authentication_flow } = plain(parseDocument({ text: declared })) as {
      readonly authentication_flow: Readonly<Record<string, readonly object[]>>
    }
    const written = Object.entries(authentication_flow).flatMap(([key, flows]) =>
      flows.map((one) => ({ type: key.replace(/_flows$/, ''), ...one })),
    )
    expect(config.authentication_flow.flows).toEqual(written)
    expect(written).toHaveLength(7)
    expect(config.warnings).toEqual([])
  })

  it('have names that are names, each once for a type', () => {
    const steps = [identify]
    const list = ['a', 'b', 'a', '1a', 'a b', ''].map((name) => ({ name, steps }))
    const promote_flows = [{ name: 'a', steps }, { steps }, { name: 'b' }, { name: 'c', steps: [] }]
    expect(messagesIn({ authentication_flow: { signup_flows: list, promote_flows } })).toEqual([
      'authentication_flow.signup_flows[2].name: a signup flow "a" is here already',
      'authentication_flow.signup_flows[3].name: must be letters, digits and _, and not begin with a digit',
      'authentication_flow.signup_flows[4].name: must be letters, digits and _, and not begin with a digit',
      'authentication_flow.signup_flows[5].name: must not be empty',
      'authentication_flow.promote_flows[1].name: is missing',
      'authentication_flow.promote_flows[2].steps: is missing',
      'authentication_flow.promote_flows[3].steps: must not be an empty list',
    ])
  })

  it('have steps of their own type', () => {
    const steps = [identify, authenticate, { type: 'verfy' }, {}, 'verify', { type: 5 }]
    const types =
      'identify, create_authenticator, verify, fill_in_user_profile, view_recovery_code, prompt_create_passkey'
    expect(problems('signup', steps)).toEqual([
      `[1].type: must be one of ${types}`,
      `[2].type: must be one of ${types}; did you mean "verify"?`,
      '[3].type: is missing',
      '[4]: must be a mapping',
      '[5].type: must be text: put it in quotes',
    ])
    const selecting = { identification: 'select_account', login_flow: 'default' }
    const both = [{ type: 'identify', one_of: [selecting] }, { type: 'authenticate' }]
    expect(problems('signup_login', both)).toEqual(['[1].type: must be one of identify'])
    expect(problems('login', [identify, authenticate, { type: 'reset_password' }])[0]).toContain(
      '[2].type',
    )
  })

  it('have the keys of their steps', () => {
    const steps = [
      { ...identify, one_off: [], optional: true },
      { ...authenticate, optional: 'yes' },
      { type: 'change_password' },
      { type: 'check_account_status', target_step: 'who' },
    ]
    expect(problems('login', steps)).toEqual([
      '[1].optional: must be true or false',
      '[2].target_step: is missing',
    ])
  })

  it('have branches of their type, with the keys of it', () => {
    const one_of = [
      { identification: 'emial' },
      { identification: 'id_token' },
      { identification: 'email', on_failure: 'error', login_flow: 'default' },
      { identification: 'email', steps: 5 },
      {},
    ]
    expect(problems('signup', [{ type: 'identify', one_of }])).toEqual([
      '[0].one_of[0].identification: must be one of email, phone, username, oauth, ldap; did you mean "email"?',
      '[0].one_of[1].identification: must be one of email, phone, username, oauth, ldap',
      '[0].one_of[3].steps: must be a list',
      '[0].one_of[4].identification: is missing',
    ])
    expect(problems('signup', [{ type: 'identify', one_of: [] }])).toEqual([])
    const branches = [
      { authentication: 'recovery_code' },
      { authentication: 'primary_password', verification_required: 1, target: 'x' },
    ]
    expect(
      problems('signup', [identify, { type: 'create_authenticator', one_of: branches }]),
    ).toEqual([
      expect.stringMatching(
        /^\[1\]\.one_of\[0\]\.authentication: must be one of primary_password, /,
      ),
      '[1].one_of[1].verification_required: must be true or false',
    ])
    const login = [
      identify,
      {
        ...authenticate,
        one_of: [{ authentication: 'primary_password', verification_required: true }],
      },
    ]
    expect(problems('login', login)).toEqual([])
  })

  it('are not what a value of another sort is', () => {
    for (const wrong of [null, 5, 'x', {}, true]) {
      expect(codesIn({ authentication_flow: { login_flows: wrong } })).toEqual([
        'authentication_flow.login_flows wrong_type',
      ])
      expect(
        codesIn({ authentication_flow: { login_flows: [{ name: 'a', steps: wrong }] } }),
      ).toEqual(['authentication_flow.login_flows[0].steps wrong_type'])
    }
  })

  it('have the steps of their type, and none that flows put in by themselves', () => {
    const steps = [identify, { type: 'link_identity' }, { type: 'prompt_create_passkey' }]
    for (const type of ['signup', 'promote', 'login', 'reauth', 'account_recovery'] as const) {
      const isPrompted = type === 'signup' || type === 'promote' || type === 'login'
      const words = [...'12'].map(
        (at) => `authentication_flow.${type}_flows[0].steps[${at}].type out_of_range`,
      )
      expect(codesIn(flow(type, steps)).filter((line) => !line.includes('one_of'))).toEqual(
        isPrompted ? words.slice(0, 1) : words,
      )
    }
  })

  it('say of bot protection whether it is always needed', () => {
    const branch = (bot_protection: unknown): readonly string[] =>
      problems('signup', [
        { type: 'identify', one_of: [{ identification: 'email', bot_protection }] },
      ])
    expect(branch({ mode: 'never' })).toEqual([])
    const at = '[0].one_of[0].bot_protection'
    expect(branch({})).toEqual([`${at}.mode: is missing`])
    expect(branch({ mode: 'allways' })).toEqual([
      `${at}.mode: must be one of never, always; did you mean "always"?`,
    ])
    expect(branch({ mode: 'always', provider: { type: 'cloudflare' } })).toEqual([])
    expect(branch({ mode: 'always', site_key: 'x' })).toEqual([
      `${at}.site_key: unknown key "site_key"`,
    ])
    expect(branch(true)).toEqual([`${at}: must be a mapping`])
  })

  it('may use what the program brings along', () => {
    const steps = [
      { type: 'identify', one_of: [{ identification: 'badge' }] },
      { type: 'authenticate', one_of: [{ authentication: 'primary_magic' }] },
    ]
    const further = { identifications: ['badge'], authentications: ['primary_magic'] }
    expect(configWith(flow('login', steps), further).authentication_flow.flows).toEqual([
      { type: 'login', name: 'mine', steps },
    ])
    expect(codesIn(flow('login', steps))).toHaveLength(2)
  })

  it('warn of a login for which a login ID is enough', () => {
    const second = { ...authenticate, optional: true }
    const nested = (steps: readonly object[]): object => ({
      ...identify,
      one_of: [{ identification: 'email', steps }, { identification: 'passkey' }],
    })
    const warnings = (steps: readonly object[]): readonly string[] =>
      configWith(flow('login', steps)).warnings
    const warning =
      'authentication_flow.login_flows[0].steps: the branch "email" needs a step authenticate: a login ID alone is enough to sign in'
    expect(warnings([identify])).toEqual([warning])
    expect(warnings([nested([second])])).toEqual([warning])
    expect(warnings([nested([authenticate])])).toEqual([])
    expect(warnings([identify, authenticate])).toEqual([])
    const proven = ['oauth', 'passkey', 'select_account']
    const one_of = proven.map((identification) => ({ identification }))
    expect(warnings([{ ...identify, one_of }])).toEqual([])
  })

  it('warn of a reauthentication, and of a login, that asks for nothing', () => {
    const who = { type: 'identify', one_of: [{ identification: 'id_token' }] }
    expect(configWith(flow('reauth', [who])).warnings).toEqual([
      'authentication_flow.reauth_flows[0].steps: the branch "id_token" needs a step authenticate: an ID token is no proof of who is there now',
    ])
    expect(configWith(flow('reauth', [who, authenticate])).warnings).toEqual([])
    expect(configWith(flow('login', [who])).warnings).toHaveLength(1)
    expect(configWith(flow('login', [who, authenticate])).warnings).toEqual([])
  })
})

describe('names within a flow', () => {
  it('are those of steps that can be meant', () => {
    const steps = [
      identify,
      { ...authenticate, name: 'how' },
      { type: 'change_password', target_step: 'hwo' },
      { type: 'change_password', target_step: 'who' },
      { type: 'change_password', target_step: 'how' },
      { type: 'change_password', target_step: 'nobody' },
    ]
    expect(problems('login', steps)).toEqual([
      '[2].target_step: no step of this flow is named "hwo"; did you mean "who"?',
      '[3].target_step: must name a step authenticate',
      '[5].target_step: no step of this flow is named "nobody"',
    ])
    const created = {
      type: 'create_authenticator',
      name: 'first',
      one_of: [{ authentication: 'primary_oob_otp_email', target_step: 'first' }],
    }
    expect(problems('signup', [identify, created, { type: 'verify', target_step: 'who' }])).toEqual(
      ['[1].one_of[0].target_step: must name a step identify'],
    )
  })

  it('may come from a branch, and more than once', () => {
    const how = { ...authenticate, name: 'how' }
    const one_of = [
      { identification: 'email', steps: [how] },
      { identification: 'phone', steps: [how] },
    ]
    const steps = [
      { ...identify, one_of },
      { type: 'change_password', target_step: 'how' },
    ]
    expect(problems('login', steps)).toEqual([])
  })

  it('of a step with another problem are known all the same', () => {
    const steps = [
      { type: 'identify', name: 'who' },
      { type: 'verify', target_step: 'who' },
    ]
    expect(problems('signup', steps)).toEqual(['[0].one_of: is missing'])
  })

  it('of attributes are of the standard or configured', () => {
    const user_profile = [
      { pointer: '/given_name', required: true },
      { pointer: '/email' },
      { pointer: '/x_height' },
      { required: true },
    ]
    const steps = [identify, { type: 'fill_in_user_profile', user_profile }]
    expect(problems('signup', steps)).toEqual([
      '[1].user_profile[2].pointer: there is no attribute "/x_height"',
      '[1].user_profile[3].pointer: is missing',
    ])
    expect(
      read('signup', [
        identify,
        { type: 'fill_in_user_profile', user_profile: user_profile.slice(1, 2) },
      ])?.steps[1],
    ).toEqual({
      type: 'fill_in_user_profile',
      user_profile: [{ pointer: '/email', required: false }],
    })
  })
})

describe('flows that name others', () => {
  const both = (...one_of: readonly object[]): readonly object[] => [{ type: 'identify', one_of }]

  it('name one that is declared or the default', () => {
    const named = { identification: 'email', signup_flow: 'fast', login_flow: 'default' }
    expect(problems('signup_login', both(named))).toEqual([
      '[0].one_of[0].signup_flow: there is no signup flow "fast"',
    ])
    const signup_flows = [{ name: 'fats', steps: [identify] }]
    const signup_login_flows = [{ name: 'default', steps: both(named) }]
    expect(messagesIn({ authentication_flow: { signup_login_flows, signup_flows } })).toEqual([
      'authentication_flow.signup_login_flows[0].steps[0].one_of[0].signup_flow: there is no signup flow "fast"; did you mean "fats"?',
    ])
    signup_flows.push({ name: 'fast', steps: [identify] })
    expect(messagesIn({ authentication_flow: { signup_login_flows, signup_flows } })).toEqual([])
  })

  it('name both, but for those who are known already', () => {
    const login_flow = 'default'
    const one_of = [
      { identification: 'email', login_flow },
      { identification: 'phone' },
      { identification: 'select_account', login_flow },
      { identification: 'passkey', login_flow },
      { identification: 'select_account' },
    ]
    expect(problems('signup_login', both(...one_of))).toEqual([
      '[0].one_of[0].signup_flow: is missing',
      '[0].one_of[1].signup_flow: is missing',
      '[0].one_of[1].login_flow: is missing',
      '[0].one_of[4].login_flow: is missing',
    ])
  })

  it('stand in groups and allow-lists too', () => {
    const sections = {
      authentication_flow: { login_flows: [{ name: 'fast', steps: [identify, authenticate] }] },
      ui: {
        authentication_flow: {
          groups: [
            {
              name: 'web',
              flows: [
                { type: 'login', name: 'fast' },
                { type: 'signup', name: 'default' },
              ],
            },
            {
              name: 'web',
              flows: [
                { type: 'signup', name: 'fast' },
                { type: 'signin', name: 'x' },
              ],
            },
          ],
        },
      },
      oauth: {
        clients: [
          {
            client_id: 'a',
            x_authentication_flow_allowlist: {
              groups: [{ name: 'web' }, { name: 'default' }, { name: 'wab' }],
              flows: [
                { type: 'login', name: 'slow' },
                { type: 'reauth', name: 'default' },
              ],
            },
          },
        ],
      },
    }
    expect(messagesIn(sections)).toEqual([
      'ui.authentication_flow.groups[1].name: the group "web" is here already',
      'ui.authentication_flow.groups[1].flows[0].name: there is no signup flow "fast"',
      'ui.authentication_flow.groups[1].flows[1].type: must be one of signup, promote, login, signup_login, reauth, account_recovery; did you mean "signup"?',
      'oauth.clients[0].x_authentication_flow_allowlist.groups[2].name: there is no group "wab"; did you mean "web"?',
      'oauth.clients[0].x_authentication_flow_allowlist.flows[0].name: there is no login flow "slow"',
    ])
  })
})

describe('hostile flows', () => {
  const nest = (levels: number): object => {
    const steps = levels === 1 ? [] : [nest(levels - 1)]
    return { type: 'identify', one_of: [{ identification: 'email', steps }] }
  }

  it('are nested no deeper than ten levels', () => {
    expect(problems('signup', [nest(10)])).toEqual([])
    expect(problems('signup', [nest(11)])).toEqual([': are nested deeper than 10 levels'])
    expect(problems('signup', [nest(60)])).toEqual([': are nested deeper than 10 levels'])
    expect(problemsIn(documentWith(flow('signup', [nest(200)])))).toMatchObject([
      { code: 'syntax', message: 'nested deeper than 256 levels' },
    ])
  })

  it('have no more than five hundred steps and branches', () => {
    const many = (count: number): readonly object[] =>
      Array.from({ length: count }, () => ({ type: 'view_recovery_code' }))
    expect(problems('signup', [identify, ...many(498)])).toEqual([])
    expect(problems('signup', [identify, ...many(499)])).toEqual([
      ': are more than 500 steps and branches',
    ])
    const wide = { ...identify, one_of: Array.from({ length: 100_000 }, () => identify.one_of[0]) }
    expect(problems('signup', [wide])).toEqual([': are more than 500 steps and branches'])
  })

  it('are accepted without a step in which somebody says who they are, with a warning', () => {
    expect(problems('login', [authenticate])).toEqual([])
    const login_flows = [{ name: 'a', steps: [authenticate] }]
    expect(configWith({ authentication_flow: { login_flows } }).warnings).toContain(
      'authentication_flow.login_flows[0].steps: have no step identify, so they identify nobody',
    )
  })

  it('are told apart soon, however many there are and whatever they name', () => {
    const flows = (count: number): readonly object[] =>
      Array.from({ length: count }, (_, index) => ({ name: `flow${index}`, steps: [identify] }))
    expect(codesIn({ authentication_flow: { signup_flows: flows(20_000) } })).toEqual([])
    const steps = Array.from({ length: 20_000 }, (_, index) => ({
      type: 'verify',
      name: `step${index}`,
      target_step: `stpe${index}`,
    }))
    expect(problems('signup', [identify, ...steps])).toContain(
      ': are more than 500 steps and branches',
    )
    const named = Array.from({ length: 20_000 }, (_, index) => ({
      type: 'signup',
      name: `folw${index}`,
    }))
    const ui = { authentication_flow: { groups: [{ name: 'g', flows: named }] } }
    const all = { authentication_flow: { signup_flows: flows(20_000) }, ui }
    expect(codesIn(all)).toHaveLength(20_000)
  })

  it('bring no keys of objects along', () => {
    const text = `{"id": "x", "http": {"public_origin": "https://a.example"}, "authentication_flow": {"signup_flows":
      [{"name": "a", "steps": [{"type": "identify", "__proto__": {"polluted": true}, "constructor": 1,
      "one_of": [{"identification": "email"}]}]}, {"name": "constructor", "steps": [{"type": "toString"}]}]}}`
    expect(problemsIn({ text }).map(({ path, code }) => `${path} ${code}`)).toEqual([
      'authentication_flow.signup_flows[1].steps[0].type out_of_range',
    ])
    expect('polluted' in {}).toBe(false)
  })
})
