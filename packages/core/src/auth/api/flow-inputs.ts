import * as z from 'zod'
import { channel } from './flow-actions.ts'

// What flows take: an input for each action. Each state accepts only the inputs for the options it offers.

const text: z.ZodString = z.string()
const yes: z.ZodType = z.literal(true)

const protectedBy = {
  bot_protection: z
    .object({ type: text, response: text })
    .optional()
    .describe('The response of the bot protection, if the option asks for it.'),
}

const redirect = {
  redirect_uri: text.describe('Where the provider sends the browser back to.'),
  response_mode: z.enum(['form_post', 'query']).optional(),
}

const assertion: z.ZodType = z
  .looseObject({
    id: text,
    rawId: text,
    type: z.literal('public-key'),
    response: z.looseObject({
      authenticatorData: text,
      clientDataJSON: text,
      signature: text,
      userHandle: text.nullish(),
    }),
  })
  .meta({
    id: 'PasskeyAssertion',
    description: '`AuthenticationResponseJSON` of WebAuthn: a use of a passkey.',
  })

const creation: z.ZodType = z
  .looseObject({
    id: text,
    rawId: text,
    type: z.literal('public-key'),
    response: z.looseObject({ attestationObject: text, clientDataJSON: text }),
  })
  .meta({
    id: 'PasskeyCreation',
    description: '`RegistrationResponseJSON` of WebAuthn: a new passkey.',
  })

const loginId = z.object({
  identification: z.enum(['email', 'phone', 'username']),
  login_id: text,
  ...protectedBy,
})

/** Inputs by name. */
const flowInputs: readonly z.ZodType[] = [
  z
    .union([
      loginId,
      z.object({ identification: z.literal('oauth'), alias: text, ...redirect, ...protectedBy }),
      z.object({
        identification: z.literal('passkey'),
        assertion_response: assertion,
        ...protectedBy,
      }),
      z.object({
        identification: z.literal('select_account'),
        index: z.int().describe('The position of the option.'),
        ...protectedBy,
      }),
      z.object({ identification: z.literal('id_token'), id_token: text, ...protectedBy }),
      z.object({
        identification: loginId.shape.identification,
        external_jwt: text.describe('A token of another issuer, in a sign-up.'),
        ...protectedBy,
      }),
      z.object({
        identification: z.literal('ldap'),
        server_name: text,
        username: text,
        password: text,
        ...protectedBy,
      }),
    ])
    .meta({ id: 'IdentifyInput', description: 'For an `IdentifyAction`.' }),
  z
    .object(loginId.shape)
    .meta({ id: 'RecoveryIdentifyInput', description: 'For a `RecoveryIdentifyAction`.' }),
  z
    .object({
      index: z.int().describe('The position of the option.'),
      redirect_uri: redirect.redirect_uri.optional().describe('For an identity provider.'),
      response_mode: redirect.response_mode,
      ...protectedBy,
    })
    .meta({ id: 'LinkAccountInput', description: 'For a `LinkAccountAction`.' }),
  z
    .union([
      z.object({
        query: text.describe('The query of the address that the provider led to.'),
        code: text.optional(),
      }),
      z.object({ code: text }),
      z.object({ error: text, error_description: text.optional(), error_uri: text.optional() }),
    ])
    .meta({
      id: 'ProviderInput',
      description: 'For a `ProviderAction`: the answer of the provider.',
    }),
  z
    .union([
      z.object({
        authentication: z.enum(['primary_password', 'secondary_password']),
        password: text,
        ...trusting(),
      }),
      z.object({ authentication: z.literal('secondary_totp'), code: text, ...trusting() }),
      z.object({ authentication: z.literal('recovery_code'), recovery_code: text, ...trusting() }),
      z.object({
        authentication: z.literal('primary_passkey'),
        assertion_response: assertion,
        ...trusting(),
      }),
      z.object({
        authentication: z.enum([
          'primary_oob_otp_email',
          'primary_oob_otp_sms',
          'secondary_oob_otp_email',
          'secondary_oob_otp_sms',
        ]),
        index: z
          .int()
          .optional()
          .describe('The position of the option. Needed unless `target` is given.'),
        target: text.optional().describe('Of a second factor: the address, in place of `index`.'),
        channel: channel.optional().describe('Needed if the option lists several.'),
        ...trusting(),
      }),
    ])
    .meta({ id: 'AuthenticateInput', description: 'For an `AuthenticateAction`.' }),
  z
    .union([
      z.object({
        authentication: z.enum(['primary_password', 'secondary_password']),
        new_password: text,
        ...protectedBy,
      }),
      z.object({
        authentication: z.enum([
          'primary_oob_otp_email',
          'primary_oob_otp_sms',
          'secondary_oob_otp_email',
          'secondary_oob_otp_sms',
        ]),
        target: text.optional().describe('The address, if the option has none.'),
        channel: channel.optional(),
        ...protectedBy,
      }),
      z.object({ authentication: z.literal('secondary_totp'), ...protectedBy }),
    ])
    .meta({ id: 'CreateAuthenticatorInput', description: 'For a `CreateAuthenticatorAction`.' }),
  z
    .object({ code: text })
    .meta({ id: 'CreateTotpInput', description: 'For a `CreateTotpAction`.' }),
  z
    .object({ channel })
    .meta({ id: 'SelectChannelInput', description: 'For a `SelectChannelAction`.' }),
  z
    .union([
      z.object({ code: text, ...trusting() }),
      z.object({ check: yes, ...trusting() }),
      z.object({ resend: yes }),
    ])
    .meta({
      id: 'VerifyOtpInput',
      description:
        'For a `VerifyOtpAction`: the code; `check` once the link was approved; `resend` for another one.',
    }),
  z
    .object({ confirm_recovery_code: yes })
    .meta({ id: 'ViewRecoveryCodeInput', description: 'For a `ViewRecoveryCodeAction`.' }),
  z
    .union([
      z.object({ creation_response: creation }),
      z.object({ skip: yes, do_not_ask_again: z.boolean().optional() }),
    ])
    .meta({ id: 'CreatePasskeyInput', description: 'For a `CreatePasskeyAction`.' }),
  z.object({ new_password: text }).meta({
    id: 'NewPasswordInput',
    description: 'For a `ChangePasswordAction` and a `ResetPasswordAction`.',
  }),
  z
    .object({ index: z.int().describe('The position of the option.') })
    .meta({ id: 'SelectDestinationInput', description: 'For a `SelectDestinationAction`.' }),
  z.union([z.object({ account_recovery_code: text }), z.object({ resend: yes })]).meta({
    id: 'VerifyRecoveryCodeInput',
    description:
      'For a `VerifyRecoveryCodeAction`. The code of a link is taken without a state, too.',
  }),
  z
    .object({
      attributes: z.array(
        z.object({ pointer: text.describe('As `/given_name`.'), value: z.unknown() }),
      ),
    })
    .meta({ id: 'FillInProfileInput', description: 'For a `FillInProfileAction`.' }),
  z.object({ confirm_terminate_other_sessions: yes }).meta({
    id: 'TerminateOtherSessionsInput',
    description: 'For a `TerminateOtherSessionsAction`.',
  }),
]

function trusting(): { readonly [name: string]: z.ZodType } {
  return {
    request_device_token: z
      .boolean()
      .optional()
      .describe('Trusts this device. Only where `device_token_enabled`.'),
    ...protectedBy,
  }
}

export const flowInput: z.ZodType = z
  .union(flowInputs)
  .meta({ id: 'FlowInput', description: 'An input for an action of a flow.' })
