import * as z from 'zod/mini'
import {
  type ApiSchema,
  checkedLater,
  described,
  named,
  namedObject,
  text,
} from '../../http/api/schema.ts'
import { channel } from './flow-actions.ts'

// What flows take: an input for each action. Each state accepts only the inputs for the options it offers.

const yes: ApiSchema = z.literal(true)

const protectedBy = {
  bot_protection: described(
    z.optional(z.object({ type: text, response: text })),
    'The response of the bot protection, if the option asks for it.',
  ),
}

const redirect = {
  redirect_uri: described(text, 'Where the provider sends the browser back to.'),
  response_mode: z.optional(z.enum(['form_post', 'query'])),
}

const assertion: ApiSchema = named(
  'PasskeyAssertion',
  '`AuthenticationResponseJSON` of WebAuthn: a use of a passkey.',
  z.looseObject({
    id: text,
    rawId: text,
    type: z.literal('public-key'),
    response: z.looseObject({
      authenticatorData: text,
      clientDataJSON: text,
      signature: text,
      userHandle: z.nullish(text),
    }),
  }),
)

const creation: ApiSchema = named(
  'PasskeyCreation',
  '`RegistrationResponseJSON` of WebAuthn: a new passkey.',
  z.looseObject({
    id: text,
    rawId: text,
    type: z.literal('public-key'),
    response: z.looseObject({ attestationObject: text, clientDataJSON: text }),
  }),
)

const loginId = z.object({
  identification: z.enum(['email', 'phone', 'username']),
  login_id: text,
  ...protectedBy,
})

/** Inputs by name. */
const flowInputs: readonly ApiSchema[] = [
  named(
    'IdentifyInput',
    'For an `IdentifyAction`.',
    z.union([
      loginId,
      z.object({ identification: z.literal('oauth'), alias: text, ...redirect, ...protectedBy }),
      z.object({
        identification: z.literal('passkey'),
        assertion_response: assertion,
        ...protectedBy,
      }),
      z.object({
        identification: z.literal('select_account'),
        index: described(z.int(), 'The position of the option.'),
        ...protectedBy,
      }),
      z.object({ identification: z.literal('id_token'), id_token: text, ...protectedBy }),
      z.object({
        identification: loginId.shape.identification,
        external_jwt: described(text, 'A token of another issuer, in a sign-up.'),
        ...protectedBy,
      }),
      z.object({
        identification: z.literal('ldap'),
        server_name: text,
        username: text,
        password: text,
        ...protectedBy,
      }),
    ]),
  ),
  namedObject('RecoveryIdentifyInput', 'For a `RecoveryIdentifyAction`.', loginId.shape),
  namedObject('LinkAccountInput', 'For a `LinkAccountAction`.', {
    index: described(z.int(), 'The position of the option.'),
    redirect_uri: described(z.optional(redirect.redirect_uri), 'For an identity provider.'),
    response_mode: redirect.response_mode,
    ...protectedBy,
  }),
  named(
    'ProviderInput',
    'For a `ProviderAction`: the answer of the provider.',
    z.union([
      z.object({
        query: described(text, 'The query of the address that the provider led to.'),
        code: z.optional(text),
      }),
      z.object({ code: text }),
      z.object({ error: text, error_description: z.optional(text), error_uri: z.optional(text) }),
    ]),
  ),
  named(
    'AuthenticateInput',
    'For an `AuthenticateAction`.',
    z.union([
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
        index: described(
          z.optional(z.int()),
          'The position of the option. Needed unless `target` is given.',
        ),
        target: described(
          z.optional(text),
          'Of a second factor: the address, in place of `index`.',
        ),
        channel: described(z.optional(channel), 'Needed if the option lists several.'),
        ...trusting(),
      }),
    ]),
  ),
  named(
    'CreateAuthenticatorInput',
    'For a `CreateAuthenticatorAction`.',
    z.union([
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
        target: described(z.optional(text), 'The address, if the option has none.'),
        channel: z.optional(channel),
        ...protectedBy,
      }),
      z.object({ authentication: z.literal('secondary_totp'), ...protectedBy }),
    ]),
  ),
  namedObject('CreateTotpInput', 'For a `CreateTotpAction`.', { code: text }),
  namedObject('SelectChannelInput', 'For a `SelectChannelAction`.', { channel }),
  named(
    'VerifyOtpInput',
    'For a `VerifyOtpAction`: the code; `check` once the link was approved; `resend` for another one.',
    z.union([
      z.object({ code: text, ...trusting() }),
      z.object({ check: yes, ...trusting() }),
      z.object({ resend: yes }),
    ]),
  ),
  namedObject('ViewRecoveryCodeInput', 'For a `ViewRecoveryCodeAction`.', {
    confirm_recovery_code: yes,
  }),
  named(
    'CreatePasskeyInput',
    'For a `CreatePasskeyAction`.',
    z.union([
      z.object({ creation_response: creation }),
      z.object({ skip: yes, do_not_ask_again: z.optional(z.boolean()) }),
    ]),
  ),
  namedObject('NewPasswordInput', 'For a `ChangePasswordAction` and a `ResetPasswordAction`.', {
    new_password: text,
  }),
  namedObject('SelectDestinationInput', 'For a `SelectDestinationAction`.', {
    index: described(z.int(), 'The position of the option.'),
  }),
  named(
    'VerifyRecoveryCodeInput',
    'For a `VerifyRecoveryCodeAction`. The code of a link is taken without a state, too.',
    z.union([z.object({ account_recovery_code: text }), z.object({ resend: yes })]),
  ),
  namedObject('FillInProfileInput', 'For a `FillInProfileAction`.', {
    attributes: z.array(
      z.object({ pointer: described(text, 'As `/given_name`.'), value: z.unknown() }),
    ),
  }),
  namedObject('KeepAccountInput', 'For a `CheckAccountStatusAction`.', { keep_account: yes }),
  namedObject('TerminateOtherSessionsInput', 'For a `TerminateOtherSessionsAction`.', {
    confirm_terminate_other_sessions: yes,
  }),
]

function trusting(): { readonly [name: string]: ApiSchema } {
  return {
    request_device_token: described(
      z.optional(z.boolean()),
      'Trusts this device. Only where `device_token_enabled`.',
    ),
    ...protectedBy,
  }
}

/** A state knows which inputs it takes, and kinds of the app have inputs of their own. */
export const flowInput: ApiSchema = checkedLater(
  named('FlowInput', 'An input for an action of a flow.', z.union(flowInputs)),
  'object',
)
