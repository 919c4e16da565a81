import { describe, expect, it } from 'vitest'
import type { FlowInput } from '../flow/view.ts'
import { advanceFlow } from '../flows/advance-flow.ts'
import { createFlow } from '../flows/create-flow.ts'
import { testAuth } from '../service.fixture.ts'
import { everyKey } from './authgear-keys.fixture.ts'
import { documentWith, problemsIn } from './config.fixture.ts'
import { type AuthConfigSource, readAuthConfig } from './read-auth-config.ts'

/** The keys that have no effect, or an older name. */
const noted = `
http.csp_directives http.hosts http.admin_hosts app
authentication.identities[4] authentication.identities[5]
authentication.recovery_code.list_enabled authentication.rate_limits.siwe
identity.login_id.keys[1].modify_disabled identity.oauth.providers[0].modify_disabled
identity.oauth.providers[0].include_identity_attributes_in_id_token
identity.oauth.providers[5].wechat_redirect_uris identity.oauth.allowed_redirect_uris identity.biometric
authenticator.password.ratelimit authenticator.oob_otp.email.code_valid_period authenticator.oob_otp.sms.code_valid_period
verification.code_expiry_seconds forgot_password.code_valid_period forgot_password.reset_code_expiry_seconds
user_profile.standard_attributes.access_control user_profile.custom_attributes.attributes[0].access_control
oauth.dynamic_client_registration
oauth.clients[0].name oauth.clients[0].client_name oauth.clients[0].client_uri oauth.clients[0].client_party
oauth.clients[0].is_first_party oauth.clients[0].x_application_type oauth.clients[0].x_framework
oauth.clients[0].grant_types oauth.clients[0].response_types oauth.clients[0].post_logout_redirect_uris
oauth.clients[0].access_token_lifetime_seconds oauth.clients[0].refresh_token_lifetime_seconds
oauth.clients[0].refresh_token_idle_timeout_enabled oauth.clients[0].refresh_token_idle_timeout_seconds
oauth.clients[0].refresh_token_rotation_enabled oauth.clients[0].issue_jwt_access_token
oauth.clients[0].policy_uri oauth.clients[0].tos_uri oauth.clients[0].logo_uri oauth.clients[0].x_custom_ui_uri
oauth.clients[0].x_app2app_enabled oauth.clients[0].x_app2app_insecure_device_key_binding_enabled
oauth.clients[0].x_app_initiated_sso_to_web_enabled oauth.clients[0].x_pre_authenticated_url_enabled
oauth.clients[0].x_pre_authenticated_url_allowed_origins oauth.clients[0].x_replace_project_logo_with_logo_uri
oauth.clients[0].x_dpop_disabled bot_protection.ip_allowlist
ui.signup_login_flow_enabled ui.phone_input.pinned_list ui.phone_input.preselect_by_ip_disabled
ui.implementation ui.settings_implementation ui.authentication_disabled ui.settings_disabled ui.direct_access_disabled
ui.brand_page_uri ui.default_branding_page_uri ui.default_client_uri ui.default_redirect_uri ui.default_post_logout_redirect_uri
ui.dark_theme_disabled ui.light_theme_disabled ui.watermark_disabled
messaging.sms_provider messaging.sms_gateway messaging.sms messaging.email messaging.whatsapp
messaging.sms_usage messaging.email_usage messaging.whatsapp_usage
test_mode.oob_otp test_mode.email test_mode.sms test_mode.whatsapp
account_anonymization admin_api_auth audit_log captcha fraud_protection google_tag_manager
network_protection otp saml search usage web3 welcome_message
`

const issuer = { iss: 'https://id.example.com', jwks_uri: 'https://id.example.com/keys' }
const provider = { type: 'cloudflare' }
const branchWithProvider = {
  name: 'a',
  steps: [
    {
      type: 'identify',
      one_of: [{ identification: 'email', bot_protection: { mode: 'never', provider } }],
    },
  ],
}
const account_recovery_flows = [
  {
    name: 'a',
    steps: [
      { type: 'identify', one_of: [{ identification: 'email' }] },
      { type: 'select_destination' },
      { type: 'verify_account_recovery_code' },
      { type: 'reset_password' },
    ],
  },
]
const withoutWays = { name: 'a', steps: [{ type: 'identify', one_of: [] }] }
const withoutFields = {
  name: 'a',
  steps: [
    { type: 'identify', one_of: [{ identification: 'email', steps: [] }] },
    { type: 'fill_in_user_profile', user_profile: [] },
  ],
}
const withoutIdentify = {
  name: 'b',
  steps: [{ type: 'authenticate', one_of: [{ authentication: 'primary_password' }] }],
}
const withoutSignUp = {
  name: 'b',
  steps: [{ type: 'create_authenticator', one_of: [{ authentication: 'primary_password' }] }],
}
const directory = {
  name: 'harbor',
  url: 'ldaps://directory.example.com',
  base_dn: 'dc=example,dc=com',
  search_filter_template: '(uid={{ .Username }})',
  user_id_attribute_name: '0.9.2342.19200300.100.1.1',
}
const email = { pointer: '/email' }
const rulesForNothing = {
  oauth: [{ alias: 'gone', oauth_claim: email, user_profile: email, action: 'login_and_link' }],
  login_id: [{ key: 'gone', user_profile: email, action: 'login_and_link' }],
}
const numbers = {
  authenticator: {
    password: { policy: { history_size: -1, history_days: -1, minimum_guessable_level: -1 } },
    totp: { maximum: -1 },
    oob_otp: { email: { maximum: -1 }, sms: { maximum: -1 } },
  },
  identity: { login_id: { keys: [{ type: 'email', max_length: 0 }] } },
}
const emptyNames = {
  identity: { login_id: { keys: [{ type: 'email', key: '' }] } },
  account_linking: {
    oauth: [{ name: '', alias: '', oauth_claim: email, user_profile: email, action: 'error' }],
    login_id: [{ name: '', key: '', user_profile: email, action: 'error' }],
  },
}
const withoutChannels = {
  name: 'a',
  steps: [
    { type: 'identify', one_of: [{ identification: 'email' }] },
    { type: 'select_destination', allowed_channels: [] },
    { type: 'verify_account_recovery_code' },
    { type: 'reset_password' },
  ],
}
const otherRules = {
  enabled: true,
  rules: [{ regex: '.*', fixed_code: '111111', suppressed: true }],
}

describe("a document of Authgear's", () => {
  const config = readAuthConfig(everyKey as AuthConfigSource)

  it('may have every key, with a warning for each that has no effect', () => {
    const places = config.warnings.map((warning) => warning.replace(/: .*/s, ''))
    expect(places.toSorted()).toEqual(noted.trim().split(/\s+/).toSorted())
  })

  it('is read beside the keys that have no effect', () => {
    const { hook, ui, authentication } = config
    expect(hook).toMatchObject({ sync_hook_timeout_ms: 5_000, sync_hook_total_timeout_ms: 10_000 })
    expect(ui.phone_input).toEqual({ allowlist: ['HK'], validation_method: 'isPossibleNumber' })
    expect(authentication.rate_limits.signup.per_ip.burst).toBe(60)
  })

  it('may have more keys in flows, rules and attributes, with a warning for each', () => {
    const more = { x: 1 }
    const rule = { user_profile: email, action: 'error', ...more }
    const branch = { identification: 'email', one_off: [], account_linking: more, ...more }
    const steps = [
      { type: 'identify', one_off: [], one_of: [branch] },
      { type: 'create_authenticator', one_of: [{ authentication: 'primary_password', ...more }] },
      { type: 'fill_in_user_profile', user_profile: [{ pointer: '/name', ...more }] },
      { type: 'view_recovery_code', ...more },
    ]
    const attribute = { id: '1', pointer: '/x_a', type: 'string', ...more }
    const document = documentWith({
      account_linking: {
        oauth: [{ alias: 'google', oauth_claim: email, ...rule }],
        login_id: [{ key: 'email', ...rule }],
      },
      authentication_flow: { signup_flows: [{ name: 'a', steps, ...more }] },
      user_profile: { custom_attributes: { attributes: [attribute] } },
      identity: { oauth: { providers: [{ alias: 'google', type: 'google', client_id: 'g' }] } },
    })
    const unknown = readAuthConfig(document).warnings.filter((one) => one.includes('unknown key'))
    const places = unknown.map((one) => one.replace(/: .*/s, ''))
    const flow = 'authentication_flow.signup_flows[0]'
    expect(places.toSorted()).toEqual(
      [
        'account_linking.login_id[0].x',
        'account_linking.oauth[0].x',
        `${flow}.steps[0].one_of[0].account_linking.x`,
        `${flow}.steps[0].one_of[0].one_off`,
        `${flow}.steps[0].one_of[0].x`,
        `${flow}.steps[0].one_off`,
        `${flow}.steps[1].one_of[0].x`,
        `${flow}.steps[2].user_profile[0].x`,
        `${flow}.steps[3].x`,
        `${flow}.x`,
        'user_profile.custom_attributes.attributes[0].x',
      ].toSorted(),
    )
    expect(unknown).toContain(
      `${flow}.steps[0].one_off: unknown key "one_off", which has no effect; did you mean "one_of"?`,
    )
  })

  it.each([
    [
      'an issuer without an audience',
      { external_jwt: { issuers: [issuer, { ...issuer, aud: '' }] } },
    ],
    ['no second factor to choose from', { authentication: { secondary_authenticators: [] } }],
    ['the provider of a branch', { authentication_flow: { signup_flows: [branchWithProvider] } }],
    ['the default channels of a recovery', { authentication_flow: { account_recovery_flows } }],
    ['rules with keys of other rules', { test_mode: { email: otherRules, oob_otp: otherRules } }],
    ['numbers out of their range', numbers],
    ['empty names of keys and rules', emptyNames],
    ['no channel', { authentication_flow: { account_recovery_flows: [withoutChannels] } }],
    ['no way on', { authentication_flow: { login_flows: [withoutWays] } }],
    ['nothing to fill in', { authentication_flow: { signup_flows: [withoutFields] } }],
    ['nobody to identify', { authentication_flow: { login_flows: [withoutIdentify] } }],
    ['no provider against machines', { bot_protection: { enabled: true, provider: null } }],
    ['an empty client id', { oauth: { clients: [{ client_id: '' }] } }],
    ['an attribute of a directory by its OID', { identity: { ldap: { servers: [directory] } } }],
    ['rules for unknown providers and keys', { account_linking: rulesForNothing }],
    [
      'a former key',
      { identity: { login_id: { types: { username: { excluded_keywords: ['x'] } } } } },
    ],
  ])('is accepted with %s', (_what, sections) => {
    expect(problemsIn(documentWith(sections))).toEqual([])
  })

  it.each([
    ['no way on', withoutWays, 'login'],
    ['nobody to identify', withoutIdentify, 'login'],
    ['nothing to fill in', withoutFields, 'signup'],
    ['nobody to sign up', withoutSignUp, 'signup'],
    ['no channel', withoutChannels, 'account_recovery'],
  ] as const)(
    'starts, with a warning, and answers within its protocol with %s',
    async (_what, flow, type) => {
      const world = testAuth({ authentication_flow: { [`${type}_flows`]: [flow] } })
      expect(world.auth.config.current.warnings.join()).toContain('authentication_flow')
      const first = await createFlow(world.auth, { type, name: flow.name })
      const inputs: FlowInput[] = [
        {},
        { identification: 'email', login_id: 'maya@example.com' },
        { authentication: 'primary_password', new_password: 'tidal-lantern-42' },
      ]
      const results = [first]
      for (const input of inputs) {
        if (!first.ok) break
        results.push(
          await advanceFlow(world.auth, { state_token: first.result.state_token, input }),
        )
      }
      for (const result of results) expect(result.ok ? 200 : result.error.code).toBeLessThan(500)
    },
  )

  it('has effect under its older names too', () => {
    const read = (sections: object) =>
      readAuthConfig({
        id: 'test',
        http: { public_origin: 'https://auth.example.com' },
        ...sections,
      })
    expect(config.session.use_session_cookie).toBe(true)
    expect(config.verification.code_valid_period_ms).toBe(600_000)
    expect(read({ verification: { code_expiry_seconds: 90 } }).verification).toMatchObject({
      code_valid_period_ms: 90_000,
    })
    const { forgot_password } = read({ forgot_password: { reset_code_expiry_seconds: 90 } })
    expect(forgot_password.valid_periods).toEqual({ code_ms: 90_000, link_ms: 90_000 })
  })
})
