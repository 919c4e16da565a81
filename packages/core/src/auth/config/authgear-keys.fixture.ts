import { parse } from 'yaml'

/** Every key of the JSON Schema of `authgear.yaml` in the sections that are read, and each foreign section. */
export const everyKey: object = parse(`
id: test
http:
  public_origin: https://auth.example.com
  allowed_origins: [https://app.example.com]
  cookie_prefix: a_
  cookie_domain: example.com
  csp_directives: []
  hosts: []
  admin_hosts: []
app: {}
authentication:
  identities: [oauth, login_id, passkey, anonymous, biometric, siwe, ldap]
  primary_authenticators: [password, passkey, oob_otp_email, oob_otp_sms]
  secondary_authenticators: [password, oob_otp_email, oob_otp_sms, totp]
  secondary_authentication_mode: if_exists
  secondary_authentication_grace_period: { enabled: true, end_at: 2026-01-31T12:00:00Z }
  device_token: { disabled: false, expire_in_days: 30 }
  recovery_code: { disabled: false, count: 16, list_enabled: true }
  public_signup_disabled: false
  lockout:
    max_attempts: 6
    history_duration: 1h
    minimum_duration: 1m
    maximum_duration: 5m
    backoff_factor: 2
    lockout_type: per_user
    password: { enabled: true }
    totp: { enabled: true }
    oob_otp: { enabled: true }
    recovery_code: { enabled: true }
  rate_limits:
    general: { per_ip: &limit { enabled: true, period: 1m, burst: 60 }, per_user_per_ip: *limit }
    password: { per_ip: *limit, per_user_per_ip: *limit }
    oob_otp:
      email: &codes
        trigger_per_ip: *limit
        trigger_per_user: *limit
        trigger_cooldown: 60s
        max_failed_attempts_revoke_otp: 5
        validate_per_ip: *limit
        validate_per_user_per_ip: *limit
      sms: *codes
    totp: { per_ip: *limit, per_user_per_ip: *limit }
    recovery_code: { per_ip: *limit, per_user_per_ip: *limit }
    device_token: { per_ip: *limit, per_user_per_ip: *limit }
    passkey: { per_ip: *limit }
    siwe: { per_ip: *limit }
    signup: { per_ip: *limit }
    signup_anonymous: { per_ip: *limit }
    account_enumeration: { per_ip: *limit }
identity:
  login_id:
    keys:
      - { type: email, key: mail, max_length: 100, create_disabled: false, update_disabled: false, delete_disabled: false }
      - { type: phone, modify_disabled: false }
      - { type: username }
    types:
      email:
        case_sensitive: false
        block_plus_sign: false
        ignore_dot_sign: false
        domain_blocklist_enabled: false
        domain_allowlist_enabled: false
        block_free_email_provider_domains: false
        block_disposable_email_domains: false
      username: { block_reserved_usernames: true, exclude_keywords_enabled: false, ascii_only: true, case_sensitive: false }
  oauth:
    providers:
      - alias: google
        type: google
        client_id: g
        create_disabled: false
        delete_disabled: false
        modify_disabled: false
        do_not_store_identity_attributes: false
        include_identity_attributes_in_id_token: true
        credentials_behavior: use_project_credentials
        claims: { email: { assume_verified: true, required: true } }
      - { alias: azure, type: azureadv2, client_id: a, tenant: contoso }
      - { alias: b2c, type: azureadb2c, client_id: b, tenant: contoso, policy: signin }
      - { alias: adfs, type: adfs, client_id: d, discovery_document_endpoint: https://adfs.example.com/d }
      - { alias: apple, type: apple, client_id: e, team_id: t, key_id: k }
      - { alias: wechat, type: wechat, client_id: w, app_type: web, account_id: gh_1, is_sandbox_account: true, wechat_redirect_uris: [] }
  biometric: { list_enabled: true }
  on_conflict: { promotion: error }
authenticator:
  password:
    policy:
      min_length: 8
      uppercase_required: true
      lowercase_required: true
      alphabet_required: true
      digit_required: true
      symbol_required: true
      minimum_guessable_level: 3
      excluded_keywords: [gatehouse]
      history_size: 3
      history_days: 90
    force_change: true
    ratelimit: { failed_attempt: { size: 60, reset_period: 60s } }
    expiry: { force_change: { enabled: true, duration_since_last_update: 2160h } }
  totp: { maximum: 1 }
  oob_otp:
    email: { maximum: 1, email_otp_mode: login_link, code_valid_period: 5m, valid_periods: { code: 5m, link: 20m } }
    sms: { maximum: 1, phone_otp_mode: whatsapp_sms, code_valid_period: 5m, valid_periods: { code: 5m, link: 20m } }
verification:
  claims: { email: { enabled: true, required: true }, phone_number: { enabled: true, required: false } }
  criteria: any
  code_valid_period: 10m
  code_expiry_seconds: 3600
  rate_limits:
    email: &proofs
      trigger_per_ip: *limit
      trigger_per_user: *limit
      trigger_cooldown: 60s
      max_failed_attempts_revoke_otp: 5
      validate_per_ip: *limit
    sms: *proofs
forgot_password:
  enabled: true
  code_valid_period: 5m
  reset_code_expiry_seconds: 1200
  valid_periods: { code: 5m, link: 20m }
  rate_limits:
    email: &resets
      trigger_per_ip: *limit
      trigger_cooldown: 60s
      max_failed_attempts_revoke_otp: 5
      validate_per_ip: *limit
    sms: *resets
session:
  lifetime_seconds: 86400
  idle_timeout_enabled: true
  idle_timeout_seconds: 3600
  cookie_non_persistent: true
user_profile:
  standard_attributes:
    population: { strategy: on_signup }
    access_control: [{ pointer: /name, access_control: { end_user: readwrite, bearer: readonly, portal_ui: readwrite } }]
  custom_attributes:
    attributes:
      - { id: "0000", pointer: /x_size, type: enum, enum: [S, M], access_control: { end_user: hidden } }
      - { id: "0001", pointer: /x_age, type: integer, minimum: 0, maximum: 200 }
oauth:
  dynamic_client_registration: { enabled: true, initial_access_token_required: true }
  clients:
    - client_id: web
      name: Web
      client_name: Web
      client_uri: https://app.example.com
      client_party: first_party
      is_first_party: true
      x_application_type: spa
      x_framework: React
      x_max_concurrent_session: 1
      redirect_uris: [https://app.example.com/cb]
      grant_types: [authorization_code]
      response_types: [code]
      post_logout_redirect_uris: []
      access_token_lifetime_seconds: 1800
      refresh_token_lifetime_seconds: 86400
      refresh_token_idle_timeout_enabled: true
      refresh_token_idle_timeout_seconds: 3600
      refresh_token_rotation_enabled: true
      issue_jwt_access_token: true
      policy_uri: https://app.example.com/policy
      tos_uri: https://app.example.com/terms
      logo_uri: https://app.example.com/logo.png
      x_custom_ui_uri: https://app.example.com/ui
      x_app2app_enabled: false
      x_app2app_insecure_device_key_binding_enabled: false
      x_app_initiated_sso_to_web_enabled: false
      x_pre_authenticated_url_enabled: false
      x_pre_authenticated_url_allowed_origins: [https://app.example.com]
      x_replace_project_logo_with_logo_uri: true
      x_dpop_disabled: false
      x_authentication_flow_allowlist:
        groups: [{ name: web }]
        flows: [{ type: login, name: default }]
account_linking:
  oauth:
    - { name: mail, alias: google, oauth_claim: { pointer: /email }, user_profile: { pointer: /email }, action: login_and_link }
  login_id:
    - { name: own, key: mail, user_profile: { pointer: /email }, action: login_and_link }
authentication_flow:
  rate_limits: { per_ip: *limit }
  signup_flows:
    - name: default
      steps:
        - name: first
          type: create_authenticator
          one_of:
            - authentication: primary_password
              bot_protection: { mode: always }
              steps: [{ type: view_recovery_code }]
            - { authentication: primary_oob_otp_email, target_step: who, verification_required: true }
        - name: who
          type: identify
          one_of:
            - identification: email
              bot_protection: { mode: never }
              account_linking: { login_id: [{ name: own, action: error, login_flow: default }] }
              steps: [{ type: verify, target_step: who }]
            - { identification: oauth, account_linking: { oauth: [{ name: mail }] } }
        - { type: fill_in_user_profile, user_profile: [{ pointer: /name, required: true }] }
        - { type: prompt_create_passkey }
  promote_flows:
    - { name: default, steps: [{ type: identify, one_of: [{ identification: username }] }] }
  login_flows:
    - name: default
      steps:
        - { name: who, type: identify, one_of: [{ identification: email }, { identification: passkey }] }
        - { name: how, type: authenticate, optional: false, one_of: [{ authentication: primary_password }, { authentication: primary_passkey }] }
        - { type: authenticate, optional: true, one_of: [{ authentication: secondary_totp }, { authentication: recovery_code }, { authentication: device_token }] }
        - { type: change_password, target_step: how }
        - { type: check_account_status }
        - { type: terminate_other_sessions }
        - { type: prompt_create_passkey }
  signup_login_flows:
    - name: default
      steps:
        - { type: identify, one_of: [{ identification: email, signup_flow: default, login_flow: default, bot_protection: { mode: always } }] }
  reauth_flows:
    - { name: default, steps: [{ type: identify, one_of: [{ identification: id_token }] }, { type: authenticate, one_of: [{ authentication: primary_password }] }] }
  account_recovery_flows:
    - name: default
      steps:
        - { type: identify, one_of: [{ identification: email, on_failure: ignore, steps: [{ type: select_destination, enumerate_destinations: true, allowed_channels: [{ channel: email, otp_form: link }] }] }] }
        - { type: verify_account_recovery_code }
        - { type: reset_password }
bot_protection:
  enabled: true
  provider: { type: cloudflare, site_key: s }
  requirements:
    signup_or_login: { mode: never }
    account_recovery: { mode: never }
    password: { mode: never }
    oob_otp_email: { mode: never }
    oob_otp_sms: { mode: never }
  ip_allowlist: []
ui:
  signup_login_flow_enabled: true
  passkey_upselling_opt_out_enabled: true
  phone_input:
    allowlist: [HK]
    pinned_list: [HK]
    preselect_by_ip_disabled: true
    validation: { implementation: libphonenumber, libphonenumber: { validation_method: isPossibleNumber } }
  forgot_password: { email: [{ channel: email, otp_form: code }], phone: [{ channel: sms, otp_form: code }] }
  authentication_flow: { groups: [{ name: web, flows: [{ type: login, name: default }] }] }
  implementation: authflowv2
  settings_implementation: v2
  authentication_disabled: false
  settings_disabled: false
  direct_access_disabled: false
  brand_page_uri: https://example.com
  default_branding_page_uri: https://example.com
  default_client_uri: https://example.com
  default_redirect_uri: https://example.com
  default_post_logout_redirect_uri: https://example.com
  dark_theme_disabled: false
  light_theme_disabled: false
  watermark_disabled: false
messaging:
  sms_provider: twilio
  sms_gateway: {}
  sms: {}
  email: {}
  whatsapp: {}
  sms_usage: {}
  email_usage: {}
  whatsapp_usage: {}
  rate_limits: { sms: *limit, sms_per_ip: *limit, sms_per_target: *limit, email: *limit, email_per_ip: *limit, email_per_target: *limit }
test_mode:
  oob_otp: { enabled: true, rules: [{ regex: ".*", fixed_code: "any text" }, { regex: "." }] }
  email: &quiet { enabled: true, rules: [{ regex: ".*", suppressed: true }] }
  sms: *quiet
  whatsapp: *quiet
hook:
  sync_hook_timeout_seconds: 5
  sync_hook_total_timeout_seconds: 10
  blocking_handlers: [{ event: user.pre_create, url: https://app.example.com/hook }]
  non_blocking_handlers: [{ events: ["*"], url: https://app.example.com/events }]
account_deletion:
  scheduled_by_end_user_enabled: true
  grace_period_days: 14
account_anonymization: {}
admin_api_auth: {}
audit_log: {}
captcha: {}
fraud_protection: {}
google_tag_manager: {}
localization: {}
network_protection: {}
otp: {}
saml: {}
search: {}
usage: {}
web3: {}
welcome_message: {}
`)
