import * as z from 'zod/mini'
import {
  type ApiSchema,
  checkedLater,
  described,
  named,
  namedObject,
  text,
} from '../../http/api/schema.ts'

// What a flow asks for: the action of each state. A new kind of identification or authentication adds its option here.

const webAuthn = (id: string, description: string): ApiSchema =>
  named(id, description, z.looseObject({ challenge: described(text, 'Base64url.') }))

const requestOptions: ApiSchema = webAuthn(
  'PasskeyRequestOptions',
  '`PublicKeyCredentialRequestOptions` in JSON, for `navigator.credentials.get()`.',
)
const creationOptions: ApiSchema = webAuthn(
  'PasskeyCreationOptions',
  '`PublicKeyCredentialCreationOptions` in JSON, for `navigator.credentials.create()`.',
)

export const channel: ApiSchema = named(
  'Channel',
  'How a code or link is sent.',
  z.enum(['email', 'sms', 'whatsapp']),
)

const otpForm: ApiSchema = named(
  'OtpForm',
  'What is sent: a code to type, or a link to open.',
  z.enum(['code', 'link']),
)

const passwordPolicy: ApiSchema = namedObject(
  'PasswordPolicy',
  'What a new password must fulfil.',
  {
    minimum_length: z.int(),
    uppercase_required: z.optional(z.literal(true)),
    lowercase_required: z.optional(z.literal(true)),
    alphabet_required: z.optional(z.literal(true)),
    digit_required: z.optional(z.literal(true)),
    symbol_required: z.optional(z.literal(true)),
    minimum_zxcvbn_score: described(z.optional(z.int()), 'From 0 to 4.'),
    excluded_keywords: z.optional(z.array(text)),
    history: z.object({
      enabled: z.boolean(),
      size: z.optional(z.int()),
      days: z.optional(z.int()),
    }),
  },
)

const protectable = {
  bot_protection: described(
    z.optional(
      z.object({
        enabled: z.literal(true),
        provider: z.object({ type: described(text, 'As `recaptchav2` or `cloudflare`.') }),
      }),
    ),
    'Present if the input must carry a `bot_protection`.',
  ),
}

const provider = {
  oauth_provider_type: described(text, 'As `google`.'),
  oauth_provider_alias: text,
  provider_type: described(text, 'The older name of `oauth_provider_type`.'),
  alias: text,
  provider_status: z.enum(['active', 'missing_credentials', 'using_demo_credentials']),
  wechat_app_type: z.optional(text),
}

const loginIds = ['email', 'phone', 'username'] as const

/** The options of an `identify` action. */
const identificationOption = named(
  'IdentifyOption',
  'One way to say who one is.',
  z.union([
    namedObject('LoginIdOption', 'By an email address, a phone number or a username.', {
      identification: z.enum(loginIds),
      ...protectable,
    }),
    namedObject('ProviderOption', 'By an account of an identity provider.', {
      identification: z.literal('oauth'),
      ...provider,
      ...protectable,
    }),
    namedObject('PasskeyOption', 'By a passkey that the user chooses in the browser.', {
      identification: z.literal('passkey'),
      request_options: requestOptions,
      ...protectable,
    }),
    namedObject('SelectAccountOption', 'By the session that the browser has.', {
      identification: z.literal('select_account'),
      display_name: described(z.optional(text), 'Absent in a browser without the session.'),
      user_id: z.optional(text),
      ...protectable,
    }),
    namedObject('IdTokenOption', 'By an ID token of the app.', {
      identification: z.literal('id_token'),
      ...protectable,
    }),
    namedObject('LdapOption', 'By name and password of a directory.', {
      identification: z.literal('ldap'),
      server_name: text,
      ...protectable,
    }),
  ]),
)

const identificationName: ApiSchema = named(
  'IdentificationName',
  'The name of an identification.',
  z.enum([...loginIds, 'oauth', 'passkey', 'select_account', 'id_token', 'ldap']),
)

const linking = {
  action: z.literal('login_and_link'),
  masked_display_name: text,
  ...protectable,
}

const linkingOption = named(
  'LinkAccountOption',
  'One way to sign in to the existing account.',
  z.union([
    namedObject('PlainLinkingOption', 'By a way that needs nothing here.', {
      identification: z.enum([...loginIds, 'passkey', 'id_token', 'ldap']),
      ...linking,
    }),
    namedObject('ProviderLinkingOption', 'By an identity provider.', {
      identification: z.literal('oauth'),
      ...provider,
      ...linking,
    }),
  ]),
)

const passwordNames = ['primary_password', 'secondary_password'] as const
const oobNames = [
  'primary_oob_otp_email',
  'primary_oob_otp_sms',
  'secondary_oob_otp_email',
  'secondary_oob_otp_sms',
] as const
const codeNames = ['secondary_totp', 'recovery_code'] as const

/** Kinds of the app have names of their own. */
export const authenticationName: ApiSchema = checkedLater(
  named(
    'AuthenticationName',
    'The name of an authentication.',
    z.enum([...passwordNames, 'primary_passkey', ...oobNames, ...codeNames, 'device_token']),
  ),
  'string',
)

const sent = {
  otp_form: otpForm,
  channels: described(z.array(channel), 'If there are several, the input names one.'),
}

/** The options of an `authenticate` action. */
const authenticationOption = named(
  'AuthenticateOption',
  'One way to prove who one is.',
  z.union([
    namedObject('PasswordOption', 'By a password.', {
      authentication: z.enum(passwordNames),
      password_policy: passwordPolicy,
      ...protectable,
    }),
    namedObject('PasskeyAuthenticationOption', 'By a passkey of the user.', {
      authentication: z.literal('primary_passkey'),
      request_options: requestOptions,
      ...protectable,
    }),
    namedObject('OobOtpOption', 'By a code or link that is sent.', {
      authentication: z.enum(oobNames),
      masked_display_name: text,
      ...sent,
      ...protectable,
    }),
    namedObject('CodeOption', 'By a code of an authenticator app, or a recovery code.', {
      authentication: z.enum(codeNames),
      ...protectable,
    }),
  ]),
)

/** The options of a `create_authenticator` action. */
const creationOption = named(
  'CreateAuthenticatorOption',
  'One authenticator that can be set up.',
  z.union([
    namedObject('CreatePasswordOption', 'A password.', {
      authentication: z.enum(passwordNames),
      password_policy: passwordPolicy,
      ...protectable,
    }),
    namedObject('CreateOobOtpOption', 'Codes or links that are sent.', {
      authentication: z.enum(oobNames),
      ...sent,
      target: described(
        z.optional(z.object({ masked_display_name: text, verification_required: z.boolean() })),
        'Absent if the input names the address.',
      ),
      ...protectable,
    }),
    namedObject('CreateTotpOption', 'An authenticator app.', {
      authentication: z.literal('secondary_totp'),
      ...protectable,
    }),
  ]),
)

const profileField = namedObject('ProfileField', 'An attribute to fill in.', {
  pointer: described(text, 'As `/given_name`.'),
  required: z.boolean(),
  type: described(
    z.optional(
      z.enum([
        'string',
        'number',
        'integer',
        'enum',
        'phone_number',
        'email',
        'url',
        'country_code',
      ]),
    ),
    'Of an attribute that the configuration defines.',
  ),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  enum: described(z.optional(z.array(text)), 'The values of the type `enum`.'),
})

const canResendAt = described(text, 'When another one can be sent, RFC 3339.')

const isUnsent = described(
  z.optional(z.literal(true)),
  'No message was sent for this flow, because an earlier one is too recent. A code of that one is good here too, unless it was used.',
)

/** An action: the type of its step, and data with a type of its own. */
function action(
  id: string,
  description: string,
  types: readonly [string, ...string[]],
  data: ApiSchema,
  more: Readonly<Record<string, ApiSchema>> = {},
): ApiSchema {
  return namedObject(id, description, { type: z.enum(types), ...more, data })
}

function data(type: string, shape: Readonly<Record<string, ApiSchema>>): ApiSchema {
  return z.object({ type: z.literal(type), ...shape })
}

const maybeByAuthentication = { authentication: z.optional(authenticationName) }
const verifying = ['verify', 'authenticate', 'create_authenticator'] as const

const flowActions: readonly ApiSchema[] = [
  action(
    'IdentifyAction',
    'Say who you are.',
    ['identify'],
    data('identification_data', { options: z.array(identificationOption) }),
  ),
  action(
    'RecoveryIdentifyAction',
    'Say whose account is to be recovered.',
    ['identify'],
    data('account_recovery_identification_data', { options: z.array(identificationOption) }),
  ),
  action(
    'LinkAccountAction',
    'An account with the same address exists: sign in to it.',
    ['identify'],
    data('account_linking_identification_data', { options: z.array(linkingOption) }),
    { identification: identificationName },
  ),
  action(
    'ProviderAction',
    'Go to the identity provider, and come back with its answer.',
    ['identify'],
    data('oauth_data', {
      oauth_provider_type: provider.oauth_provider_type,
      oauth_provider_alias: text,
      alias: text,
      provider_status: provider.provider_status,
      wechat_app_type: provider.wechat_app_type,
      oauth_authorization_url: text,
    }),
    { identification: z.literal('oauth') },
  ),
  action(
    'AuthenticateAction',
    'Prove who you are.',
    ['authenticate'],
    data('authentication_data', {
      options: z.array(authenticationOption),
      device_token_enabled: described(
        z.boolean(),
        'Whether the input may ask to trust this device.',
      ),
    }),
  ),
  action(
    'CreateAuthenticatorAction',
    'Set up an authenticator.',
    ['create_authenticator', 'authenticate'],
    data('create_authenticator_data', { options: z.array(creationOption) }),
  ),
  action(
    'CreateTotpAction',
    'Add the secret to an authenticator app, and send its first code.',
    ['create_authenticator', 'authenticate'],
    data('create_totp_data', { secret: described(text, 'Base32.'), otpauth_uri: text }),
    { authentication: z.literal('secondary_totp') },
  ),
  action(
    'SelectChannelAction',
    'Choose how the code is sent.',
    verifying,
    data('select_oob_otp_channels_data', { channels: z.array(channel), masked_claim_value: text }),
    maybeByAuthentication,
  ),
  action(
    'VerifyOtpAction',
    'Send the code that was received, or wait until the link was opened.',
    verifying,
    data('verify_oob_otp_data', {
      channel,
      otp_form: otpForm,
      websocket_url: described(z.optional(text), 'For a link: reports that it was approved.'),
      masked_claim_value: text,
      code_length: z.int(),
      can_resend_at: canResendAt,
      can_check: described(z.boolean(), 'For a link: whether it was approved.'),
      failed_attempt_rate_limit_exceeded: z.boolean(),
      delivery_status: z.enum(['sending', 'sent', 'failed']),
      is_unsent: isUnsent,
    }),
    maybeByAuthentication,
  ),
  action(
    'ViewRecoveryCodeAction',
    'Keep the recovery codes. They are shown once.',
    ['view_recovery_code'],
    data('view_recovery_code_data', { recovery_codes: z.array(text) }),
  ),
  action(
    'CreatePasskeyAction',
    'Create a passkey, or decline.',
    ['prompt_create_passkey'],
    data('create_passkey_data', {
      creation_options: creationOptions,
      allow_do_not_ask_again: z.optional(z.literal(true)),
    }),
  ),
  action(
    'ChangePasswordAction',
    'Choose another password.',
    ['change_password'],
    data('new_password_data', {
      password_policy: passwordPolicy,
      force_change_reason: z.optional(z.enum(['policy', 'expiry'])),
    }),
  ),
  action(
    'ResetPasswordAction',
    'Choose the new password of a recovered account.',
    ['reset_password'],
    data('new_password_data', { password_policy: passwordPolicy, masked_target: z.optional(text) }),
  ),
  action(
    'SelectDestinationAction',
    'Choose where the code of an account recovery goes.',
    ['select_destination'],
    data('account_recovery_select_destination_data', {
      options: z.array(z.object({ masked_display_name: text, channel, otp_form: otpForm })),
    }),
  ),
  action(
    'VerifyRecoveryCodeAction',
    'Send the code of the account recovery.',
    ['verify_account_recovery_code'],
    data('account_recovery_verify_code_data', {
      masked_display_name: text,
      channel,
      otp_form: otpForm,
      code_length: z.int(),
      can_resend_at: canResendAt,
      failed_attempt_rate_limit_exceeded: z.boolean(),
      is_unsent: isUnsent,
    }),
  ),
  action(
    'FillInProfileAction',
    'Fill in the profile.',
    ['fill_in_user_profile'],
    z.object({
      attributes: described(
        z.array(profileField),
        'The attributes that are asked for. Those that the input leaves out are erased.',
      ),
    }),
  ),
  action(
    'CheckAccountStatusAction',
    'The account will be deleted, because the user asked for it: keep it, or leave.',
    ['check_account_status'],
    z.object({
      reason: z.literal('ScheduledDeletionByEndUser'),
      delete_at: described(text, 'When, in RFC 3339.'),
    }),
  ),
  action(
    'TerminateOtherSessionsAction',
    'Confirm that the other sessions end.',
    ['terminate_other_sessions'],
    z.object({}),
  ),
  action(
    'FinishedAction',
    'The flow has ended.',
    ['finished'],
    z.object({
      finish_redirect_uri: described(
        z.optional(text),
        'Where the browser continues, if the flow serves an authorization request.',
      ),
    }),
  ),
]

const flowAction: ApiSchema = named(
  'FlowAction',
  'What a flow asks for. `type` is the step, `data.type` distinguishes its prompts.',
  z.union(flowActions),
)

const newFlowTypes = [
  'signup',
  'promote',
  'login',
  'signup_login',
  'reauth',
  'account_recovery',
] as const

export const newFlowType: ApiSchema = named(
  'NewFlowType',
  'The type of a flow that a client can create.',
  z.enum(newFlowTypes),
)

export const flowType: ApiSchema = named(
  'FlowType',
  'The type of a flow. Those of type `account` begin at the account.',
  z.enum([...newFlowTypes, 'account']),
)

export const flowState: ApiSchema = namedObject('FlowState', 'A state of a flow.', {
  state_token: described(text, 'Takes the next input. Who has it drives the flow.'),
  type: described(flowType, 'A `signup_login` becomes one of the two once the user is known.'),
  name: text,
  action: flowAction,
})
