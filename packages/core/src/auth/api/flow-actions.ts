import * as z from 'zod'

// What a flow asks for: the action of each state. A new kind of identification or authentication adds its option here.

const text: z.ZodString = z.string()
const webAuthn = (id: string, description: string): z.ZodType =>
  z.looseObject({ challenge: text.describe('Base64url.') }).meta({ id, description })

const requestOptions: z.ZodType = webAuthn(
  'PasskeyRequestOptions',
  '`PublicKeyCredentialRequestOptions` in JSON, for `navigator.credentials.get()`.',
)
const creationOptions: z.ZodType = webAuthn(
  'PasskeyCreationOptions',
  '`PublicKeyCredentialCreationOptions` in JSON, for `navigator.credentials.create()`.',
)

export const channel: z.ZodType = z
  .enum(['email', 'sms', 'whatsapp'])
  .meta({ id: 'Channel', description: 'How a code or link is sent.' })

const otpForm: z.ZodType = z
  .enum(['code', 'link'])
  .meta({ id: 'OtpForm', description: 'What is sent: a code to type, or a link to open.' })

const passwordPolicy: z.ZodType = z
  .object({
    minimum_length: z.int(),
    uppercase_required: z.literal(true).optional(),
    lowercase_required: z.literal(true).optional(),
    alphabet_required: z.literal(true).optional(),
    digit_required: z.literal(true).optional(),
    symbol_required: z.literal(true).optional(),
    minimum_zxcvbn_score: z.int().optional().describe('From 0 to 4.'),
    excluded_keywords: z.array(text).optional(),
    history: z.object({
      enabled: z.boolean(),
      size: z.int().optional(),
      days: z.int().optional(),
    }),
  })
  .meta({ id: 'PasswordPolicy', description: 'What a new password must fulfil.' })

const protectable = {
  bot_protection: z
    .object({
      enabled: z.literal(true),
      provider: z.object({ type: text.describe('As `recaptchav2` or `cloudflare`.') }),
    })
    .optional()
    .describe('Present if the input must carry a `bot_protection`.'),
}

const provider = {
  oauth_provider_type: text.describe('As `google`.'),
  oauth_provider_alias: text,
  provider_type: text.describe('The older name of `oauth_provider_type`.'),
  alias: text,
  provider_status: z.enum(['active', 'missing_credentials', 'using_demo_credentials']),
  wechat_app_type: text.optional(),
}

const loginIds = ['email', 'phone', 'username'] as const

/** The options of an `identify` action. */
const identificationOption = z
  .union([
    z.object({ identification: z.enum(loginIds), ...protectable }).meta({
      id: 'LoginIdOption',
      description: 'By an email address, a phone number or a username.',
    }),
    z
      .object({ identification: z.literal('oauth'), ...provider, ...protectable })
      .meta({ id: 'ProviderOption', description: 'By an account of an identity provider.' }),
    z
      .object({
        identification: z.literal('passkey'),
        request_options: requestOptions,
        ...protectable,
      })
      .meta({
        id: 'PasskeyOption',
        description: 'By a passkey that the user chooses in the browser.',
      }),
    z
      .object({
        identification: z.literal('select_account'),
        display_name: text.optional().describe('Absent in a browser without the session.'),
        user_id: text.optional(),
        ...protectable,
      })
      .meta({ id: 'SelectAccountOption', description: 'By the session that the browser has.' }),
    z
      .object({ identification: z.literal('id_token'), ...protectable })
      .meta({ id: 'IdTokenOption', description: 'By an ID token of the app.' }),
    z
      .object({ identification: z.literal('ldap'), server_name: text, ...protectable })
      .meta({ id: 'LdapOption', description: 'By name and password of a directory.' }),
  ])
  .meta({ id: 'IdentifyOption', description: 'One way to say who one is.' })

const identificationName: z.ZodType = z
  .enum([...loginIds, 'oauth', 'passkey', 'select_account', 'id_token', 'ldap'])
  .meta({ id: 'IdentificationName', description: 'The name of an identification.' })

const linking = {
  action: z.literal('login_and_link'),
  masked_display_name: text,
  ...protectable,
}

const linkingOption = z
  .union([
    z
      .object({
        identification: z.enum([...loginIds, 'passkey', 'id_token', 'ldap']),
        ...linking,
      })
      .meta({ id: 'PlainLinkingOption', description: 'By a way that needs nothing here.' }),
    z
      .object({ identification: z.literal('oauth'), ...provider, ...linking })
      .meta({ id: 'ProviderLinkingOption', description: 'By an identity provider.' }),
  ])
  .meta({ id: 'LinkAccountOption', description: 'One way to sign in to the existing account.' })

const passwordNames = ['primary_password', 'secondary_password'] as const
const oobNames = [
  'primary_oob_otp_email',
  'primary_oob_otp_sms',
  'secondary_oob_otp_email',
  'secondary_oob_otp_sms',
] as const
const codeNames = ['secondary_totp', 'recovery_code'] as const

export const authenticationName: z.ZodType = z
  .enum([...passwordNames, 'primary_passkey', ...oobNames, ...codeNames, 'device_token'])
  .meta({ id: 'AuthenticationName', description: 'The name of an authentication.' })

const sent = {
  otp_form: otpForm,
  channels: z.array(channel).describe('If there are several, the input names one.'),
}

/** The options of an `authenticate` action. */
const authenticationOption = z
  .union([
    z
      .object({
        authentication: z.enum(passwordNames),
        password_policy: passwordPolicy,
        ...protectable,
      })
      .meta({ id: 'PasswordOption', description: 'By a password.' }),
    z
      .object({
        authentication: z.literal('primary_passkey'),
        request_options: requestOptions,
        ...protectable,
      })
      .meta({ id: 'PasskeyAuthenticationOption', description: 'By a passkey of the user.' }),
    z
      .object({
        authentication: z.enum(oobNames),
        masked_display_name: text,
        ...sent,
        ...protectable,
      })
      .meta({ id: 'OobOtpOption', description: 'By a code or link that is sent.' }),
    z.object({ authentication: z.enum(codeNames), ...protectable }).meta({
      id: 'CodeOption',
      description: 'By a code of an authenticator app, or a recovery code.',
    }),
  ])
  .meta({ id: 'AuthenticateOption', description: 'One way to prove who one is.' })

/** The options of a `create_authenticator` action. */
const creationOption = z
  .union([
    z
      .object({
        authentication: z.enum(passwordNames),
        password_policy: passwordPolicy,
        ...protectable,
      })
      .meta({ id: 'CreatePasswordOption', description: 'A password.' }),
    z
      .object({
        authentication: z.enum(oobNames),
        ...sent,
        target: z
          .object({ masked_display_name: text, verification_required: z.boolean() })
          .optional()
          .describe('Absent if the input names the address.'),
        ...protectable,
      })
      .meta({ id: 'CreateOobOtpOption', description: 'Codes or links that are sent.' }),
    z
      .object({ authentication: z.literal('secondary_totp'), ...protectable })
      .meta({ id: 'CreateTotpOption', description: 'An authenticator app.' }),
  ])
  .meta({ id: 'CreateAuthenticatorOption', description: 'One authenticator that can be set up.' })

const canResendAt = text.describe('When another one can be sent, RFC 3339.')

/** An action: the type of its step, and data with a type of its own. */
function action(
  id: string,
  description: string,
  types: readonly [string, ...string[]],
  data: z.ZodType,
  more: Readonly<Record<string, z.ZodType>> = {},
): z.ZodType {
  return z.object({ type: z.enum(types), ...more, data }).meta({ id, description })
}

function data(type: string, shape: Readonly<Record<string, z.ZodType>>): z.ZodType {
  return z.object({ type: z.literal(type), ...shape })
}

const maybeByAuthentication = { authentication: authenticationName.optional() }
const verifying = ['verify', 'authenticate', 'create_authenticator'] as const

const flowActions: readonly z.ZodType[] = [
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
      device_token_enabled: z.boolean().describe('Whether the input may ask to trust this device.'),
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
    data('create_totp_data', { secret: text.describe('Base32.'), otpauth_uri: text }),
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
      websocket_url: text.optional().describe('For a link: reports that it was approved.'),
      masked_claim_value: text,
      code_length: z.int(),
      can_resend_at: canResendAt,
      can_check: z.boolean().describe('For a link: whether it was approved.'),
      failed_attempt_rate_limit_exceeded: z.boolean(),
      delivery_status: z.enum(['sending', 'sent', 'failed']),
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
      allow_do_not_ask_again: z.literal(true).optional(),
    }),
  ),
  action(
    'ChangePasswordAction',
    'Choose another password.',
    ['change_password'],
    data('new_password_data', {
      password_policy: passwordPolicy,
      force_change_reason: z.enum(['policy', 'expiry']).optional(),
    }),
  ),
  action(
    'ResetPasswordAction',
    'Choose the new password of a recovered account.',
    ['reset_password'],
    data('new_password_data', { password_policy: passwordPolicy, masked_target: text.optional() }),
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
    }),
  ),
  action(
    'FillInProfileAction',
    'Fill in the profile. The configuration says which attributes.',
    ['fill_in_user_profile'],
    z.object({}),
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
      finish_redirect_uri: text
        .optional()
        .describe('Where the browser continues, if the flow serves an authorization request.'),
    }),
  ),
]

const flowAction: z.ZodType = z.union(flowActions).meta({
  id: 'FlowAction',
  description: 'What a flow asks for. `type` is the step, `data.type` distinguishes its prompts.',
})

export const flowType: z.ZodType = z
  .enum(['signup', 'promote', 'login', 'signup_login', 'reauth', 'account_recovery', 'account'])
  .meta({ id: 'FlowType', description: 'The type of a flow.' })

export const flowState: z.ZodType = z
  .object({
    state_token: text.describe('Takes the next input. Who has it drives the flow.'),
    type: flowType.describe('A `signup_login` becomes one of the two once the user is known.'),
    name: text,
    action: flowAction,
  })
  .meta({ id: 'FlowState', description: 'A state of a flow.' })
