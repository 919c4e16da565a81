import {
  type AuthenticateOption,
  type Channel,
  type CreateAuthenticatorOption,
  createPasskey,
  type Flow,
  type IdentifyOption,
  usePasskey,
} from '@gatehouse/client'
import { attributesOf, autocompleteOf, inputTypeOf } from '@gatehouse/sign-in/flow/profile-field.ts'

/** A field of a form, as the properties of an `<input>`. */
export interface FlowField {
  readonly name: string
  readonly type: 'text' | 'email' | 'tel' | 'password' | 'checkbox' | 'date' | 'url' | 'number'
  readonly autoComplete: string
  readonly required: boolean
}

/** One way to answer a step. */
export interface FlowForm {
  /**
   * What it does: an identification (`email`, `oauth`, `passkey` …), an authentication (`primary_password`, `secondary_totp` …), or
   * `create_passkey`, `verify`, `send`, `resend`, `check`, `set_password`, `profile`, `confirm`, `skip`.
   */
  readonly name: string
  /** What it is about: the alias of a provider, an account, a masked address. */
  readonly subject?: string | undefined
  /** How it is sent. */
  readonly channel?: Channel
  /** The provider of the bot protection whose widget must be within the form. */
  readonly botProtection?: string
  /** What is typed or checked. A form without fields is a button. */
  readonly fields: readonly FlowField[]
  /** Makes the input of the flow. `typed` returns the value of a field, or an empty text. A passkey asks the browser. */
  inputOf(typed: (field: string) => string): object | Promise<object>
}

const field = (
  name: string,
  autoComplete = 'off',
  type: FlowField['type'] = 'text',
): FlowField => ({
  name,
  type,
  autoComplete,
  required: true,
})

const loginId = (kind: 'email' | 'phone' | 'username'): FlowField =>
  field('login_id', 'username', kind === 'email' ? 'email' : kind === 'phone' ? 'tel' : 'text')
const password = field('password', 'current-password', 'password')
const newPassword = field('new_password', 'new-password', 'password')
const code = field('code', 'one-time-code')
const trust: FlowField = { ...field('trust', 'off', 'checkbox'), required: false }

/** A form whose input is what is typed, by the names of the fields, and what it always has. */
const typedForm = (name: string, fields: readonly FlowField[], always: object = {}): FlowForm => ({
  name,
  fields,
  inputOf: (typed) => ({
    ...Object.fromEntries(
      // Spaces at the ends of a password are part of it.
      fields.map((one) => [
        one.name,
        one.type === 'password' ? typed(one.name) : typed(one.name).trim(),
      ]),
    ),
    ...always,
  }),
})
const button = (name: string, input: object): FlowForm => typedForm(name, [], input)

/** Where identity providers lead back to: this page. */
const redirectUri = (): string => location.origin + location.pathname

function identify(option: IdentifyOption, index: number): readonly FlowForm[] {
  const { identification } = option
  switch (identification) {
    case 'email':
    case 'phone':
    case 'username':
      return [typedForm(identification, [loginId(identification)], { identification })]
    case 'oauth': {
      const { alias } = option
      const inputOf = () => ({ identification, alias, redirect_uri: redirectUri() })
      return [{ name: identification, subject: alias, fields: [], inputOf }]
    }
    case 'passkey': {
      const ask = () => usePasskey(option.request_options)
      const inputOf = async () => ({ identification, assertion_response: await ask() })
      return [{ name: identification, fields: [], inputOf }]
    }
    case 'select_account': {
      const { display_name: subject } = option
      return [{ ...button(identification, { identification, index }), subject }]
    }
    case 'ldap': {
      const { server_name } = option
      const fields = [field('username', 'username'), password]
      return [
        {
          ...typedForm(identification, fields, { identification, server_name }),
          subject: server_name,
        },
      ]
    }
    default: // a token of another system, or a kind of the app's own
      return []
  }
}

function authenticate(option: AuthenticateOption, index: number): readonly FlowForm[] {
  const { authentication } = option
  switch (authentication) {
    case 'primary_password':
    case 'secondary_password':
      return [typedForm(authentication, [password], { authentication })]
    case 'secondary_totp':
      return [typedForm(authentication, [code], { authentication })]
    case 'recovery_code':
      return [typedForm(authentication, [field('recovery_code')], { authentication })]
    case 'primary_passkey': {
      const ask = () => usePasskey(option.request_options)
      const inputOf = async () => ({ authentication, assertion_response: await ask() })
      return [{ name: authentication, fields: [], inputOf }]
    }
    default: // codes and links that are sent; a kind of the app's own has no channels
      return (option.channels ?? []).map((channel) => ({
        ...button(authentication, { authentication, index, channel }),
        subject: option.masked_display_name,
        channel,
      }))
  }
}

/** Adds the choice to trust this device. */
const withTrust = (form: FlowForm): FlowForm => ({
  ...form,
  fields: [...form.fields, trust],
  inputOf: async (typed) => ({
    ...(await form.inputOf(typed)),
    ...(typed(trust.name) === '' ? {} : { request_device_token: true }),
  }),
})

function setUp(option: CreateAuthenticatorOption): readonly FlowForm[] {
  const { authentication } = option
  if ('password_policy' in option)
    return [typedForm(authentication, [newPassword], { authentication })]
  if (authentication === 'secondary_totp') return [button(authentication, { authentication })]
  if (!('channels' in option)) return []
  const { target } = option
  const isPhone = authentication.endsWith('_sms')
  const fields = isPhone ? [field('target', 'tel', 'tel')] : [field('target', 'email', 'email')]
  return option.channels.map((channel) => ({
    ...typedForm(authentication, target ? [] : fields, { authentication, channel }),
    ...(target && { subject: target.masked_display_name }),
    channel,
  }))
}

/** Adds what a widget of a bot protection has put into the form. */
function guarded(
  forms: readonly FlowForm[],
  protection: { readonly provider: { readonly type: string } } | undefined,
): readonly FlowForm[] {
  if (protection === undefined) return forms
  const { type } = protection.provider
  return forms.map((form) => ({
    ...form,
    botProtection: type,
    inputOf: async (typed) => ({
      ...(await form.inputOf(typed)),
      bot_protection: {
        type,
        response: typed('cf-turnstile-response') || typed('g-recaptcha-response'),
      },
    }),
  }))
}

interface Protectable {
  readonly bot_protection?: { readonly provider: { readonly type: string } }
}

const each = <Option extends Protectable>(
  options: readonly Option[],
  formsOfOption: (option: Option, index: number) => readonly FlowForm[],
): readonly FlowForm[] =>
  options.flatMap((option, index) => guarded(formsOfOption(option, index), option.bot_protection))

const resend = button('resend', { resend: true })

/** The ways to answer a step, in the order of the service. Kinds of the app's own have none: it knows their inputs. */
export function formsOf(flow: Flow): readonly FlowForm[] {
  switch (flow.prompt) {
    case 'identification_data':
    case 'account_recovery_identification_data':
      return each(flow.action.data.options, identify)
    case 'account_linking_identification_data':
      return each(flow.action.data.options, ({ identification, masked_display_name }, index) => [
        {
          name: identification,
          subject: masked_display_name,
          fields: [],
          inputOf: () =>
            identification === 'oauth' ? { index, redirect_uri: redirectUri() } : { index },
        },
      ])
    case 'authentication_data': {
      const { options, device_token_enabled: canTrust } = flow.action.data
      const forms = each(options, authenticate)
      return canTrust ? forms.map(withTrust) : forms
    }
    case 'create_authenticator_data':
      return each(flow.action.data.options, setUp)
    case 'create_totp_data':
      return [typedForm('verify', [code])]
    case 'select_oob_otp_channels_data': {
      const { channels, masked_claim_value: subject } = flow.action.data
      return channels.map((channel) => ({ ...button('send', { channel }), subject, channel }))
    }
    case 'verify_oob_otp_data':
      return flow.action.data.otp_form === 'code'
        ? [typedForm('verify', [code]), resend]
        : [button('check', { check: true }), resend]
    case 'account_recovery_select_destination_data':
      return flow.action.data.options.map(({ channel, masked_display_name: subject }, index) => ({
        ...button('send', { index }),
        subject,
        channel,
      }))
    case 'account_recovery_verify_code_data':
      // The link of a mail leads to the next step by itself.
      return flow.action.data.otp_form === 'code'
        ? [typedForm('verify', [{ ...code, name: 'account_recovery_code' }]), resend]
        : [resend]
    case 'view_recovery_code_data':
      return [button('confirm', { confirm_recovery_code: true })]
    case 'create_passkey_data': {
      const ask = () => createPasskey(flow.action.data.creation_options)
      const inputOf = async () => ({ creation_response: await ask() })
      return [{ name: 'create_passkey', fields: [], inputOf }, button('skip', { skip: true })]
    }
    case 'new_password_data':
      return [typedForm('set_password', [newPassword])]
    case 'fill_in_user_profile': {
      const { attributes } = flow.action.data
      const fields = attributes.map((one) => ({
        ...field(one.pointer, autocompleteOf(one), inputTypeOf(one)),
        required: one.required,
      }))
      const inputOf: FlowForm['inputOf'] = (typed) => ({
        attributes: attributesOf(attributes, typed),
      })
      return [{ name: 'profile', fields, inputOf }]
    }
    case 'check_account_status':
      return [button('confirm', { keep_account: true })]
    case 'terminate_other_sessions':
      return [button('confirm', { confirm_terminate_other_sessions: true })]
    default: // it leads to a provider, has ended, or is a step of the app's own
      return []
  }
}
