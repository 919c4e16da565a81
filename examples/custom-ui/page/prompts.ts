import {
  type AuthenticateOption,
  type Channel,
  createPasskey,
  type Flow,
  type IdentifyOption,
  type LinkAccountOption,
  leaveForProvider,
  type OtpForm,
  type PasswordPolicy,
  usePasskey,
} from '@gatehouse/client'
import type { Field, Form, View } from './view.ts'

const redirect_uri = `${location.origin}/callback`

const loginIds = {
  email: { label: 'Email address', type: 'email', autocomplete: 'username' },
  phone: { label: 'Phone number', type: 'tel', autocomplete: 'username' },
  username: { label: 'Username', autocomplete: 'username' },
} as const

const password: Field = {
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
}
const newPassword: Field = {
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
}
const code: Field = { label: 'Code', autocomplete: 'one-time-code' }

const by = { email: 'by email', sms: 'by text message', whatsapp: 'on WhatsApp' }

const rules = ({ minimum_length: length }: PasswordPolicy): string =>
  `It needs ${length} characters or more.`

/** Leads the browser to the provider; then nothing is left to show. */
async function leave(flow: Flow): Promise<Flow | undefined> {
  if (flow.prompt !== 'oauth_data') return flow
  leaveForProvider(flow)
  return undefined
}

/** The page for a prompt: its action in words for people. */
export function viewOf(flow: Flow): View {
  switch (flow.prompt) {
    case 'identification_data': {
      const { options } = flow.action.data
      const formOf = (option: IdentifyOption, index: number): Form | undefined => {
        switch (option.identification) {
          case 'email':
          case 'phone':
          case 'username': {
            const { identification } = option
            return {
              fields: [loginIds[identification]],
              button: options.length === 1 ? 'Continue' : `Continue by ${identification}`,
              submit: ({ texts: [login_id = ''] }) => flow.submit({ identification, login_id }),
            }
          }
          case 'oauth':
            return {
              button: `Continue with ${option.alias}`,
              submit: async () =>
                leave(
                  await flow.submit({ identification: 'oauth', alias: option.alias, redirect_uri }),
                ),
            }
          case 'passkey':
            return {
              button: 'Use a passkey',
              submit: async () =>
                flow.submit({
                  identification: 'passkey',
                  assertion_response: await usePasskey(option.request_options),
                }),
            }
          case 'select_account':
            return {
              button: `Continue as ${option.display_name}`,
              submit: () => flow.submit({ identification: 'select_account', index }),
            }
          default:
            return undefined
        }
      }
      return {
        title: flow.type === 'signup' ? 'Create your account' : 'Sign in',
        forms: options.flatMap((option, index) => formOf(option, index) ?? []),
        links:
          flow.type === 'signup'
            ? [['Sign in', '/login']]
            : [
                ['Create an account', '/signup'],
                ['Forgot your password?', '/recover'],
              ],
      }
    }
    case 'account_recovery_identification_data':
      return {
        title: 'Reset your password',
        forms: (['email', 'phone'] as const)
          .filter((name) => flow.action.data.options.some((one) => one.identification === name))
          .map((identification) => ({
            fields: [loginIds[identification]],
            button: 'Continue',
            submit: ({ texts: [login_id = ''] }) => flow.submit({ identification, login_id }),
          })),
      }
    case 'account_linking_identification_data':
      return {
        title: 'You have an account already',
        text: 'Sign in to it, and this way is added.',
        forms: flow.action.data.options.map((option: LinkAccountOption, index) => ({
          button: `Sign in as ${option.masked_display_name}`,
          submit: async () =>
            leave(
              await flow.submit(
                option.identification === 'oauth' ? { index, redirect_uri } : { index },
              ),
            ),
        })),
      }
    case 'authentication_data': {
      const { options, device_token_enabled } = flow.action.data
      const trust = device_token_enabled ? { checkbox: 'Trust this browser' } : {}
      const formsOf = (option: AuthenticateOption, index: number): readonly Form[] => {
        const { authentication } = option
        switch (authentication) {
          case 'primary_password':
          case 'secondary_password':
            return [
              {
                heading: 'By your password',
                fields: [password],
                button: 'Sign in',
                submit: ({ texts: [text = ''], isChecked }) =>
                  flow.submit({ authentication, password: text, ...trusted(isChecked) }),
              },
            ]
          case 'primary_passkey':
            return [
              {
                heading: 'By a passkey',
                button: 'Use a passkey',
                submit: async () =>
                  flow.submit({
                    authentication,
                    assertion_response: await usePasskey(option.request_options),
                  }),
              },
            ]
          case 'secondary_totp':
            return [
              {
                heading: 'By your authenticator app',
                fields: [code],
                button: 'Continue',
                submit: ({ texts: [text = ''], isChecked }) =>
                  flow.submit({ authentication, code: text, ...trusted(isChecked) }),
              },
            ]
          case 'recovery_code':
            return [
              {
                heading: 'By a recovery code',
                fields: [{ label: 'Recovery code', autocomplete: 'off' }],
                button: 'Use it',
                submit: ({ texts: [text = ''], isChecked }) =>
                  flow.submit({ authentication, recovery_code: text, ...trusted(isChecked) }),
              },
            ]
          default:
            return option.channels.map((channel) => ({
              heading: `By a ${option.otp_form} ${by[channel]}`,
              button: `Send it to ${option.masked_display_name}`,
              submit: ({ isChecked }) =>
                flow.submit({ authentication, index, channel, ...trusted(isChecked) }),
            }))
        }
      }
      const forms = options.flatMap(formsOf).map((form) => ({ ...form, ...trust }))
      const [only, ...others] = forms
      if (others.length > 0 || only === undefined) return { title: 'One more thing to show', forms }
      const { heading: _, ...form } = only
      return { title: 'Enter your password', forms: [form] }
    }
    case 'create_authenticator_data': {
      const { options } = flow.action.data
      const forms = options.map((option): Form => {
        const { authentication } = option
        switch (authentication) {
          case 'primary_password':
          case 'secondary_password':
            return {
              fields: [newPassword],
              button: 'Set this password',
              submit: ({ texts: [new_password = ''] }) =>
                flow.submit({ authentication, new_password }),
            }
          case 'secondary_totp':
            return {
              button: 'Use an authenticator app',
              submit: () => flow.submit({ authentication }),
            }
          default: {
            const field = authentication.endsWith('_sms') ? loginIds.phone : loginIds.email
            return {
              fields: option.target === undefined ? [{ ...field, autocomplete: 'off' }] : [],
              button: 'Use codes sent there',
              submit: ({ texts: [target] }) =>
                flow.submit({ authentication, ...(target === undefined ? {} : { target }) }),
            }
          }
        }
      })
      const [first] = options
      const isPassword = first?.authentication === 'primary_password' && options.length === 1
      return isPassword
        ? { title: 'Choose a password', text: rules(first.password_policy), forms }
        : { title: 'Add a second way to show that it is you', forms }
    }
    case 'create_totp_data': {
      const { secret, otpauth_uri } = flow.action.data
      return {
        title: 'Set up your authenticator app',
        text: 'Enter this key in your app, and then the code that it shows.',
        codes: [secret],
        links: [['open it by this link', otpauth_uri]],
        forms: [{ fields: [code], button: 'Continue', submit: (given) => withCode(given.texts) }],
      }
      function withCode([text = '']: readonly string[]): Promise<Flow> {
        return flow.prompt === 'create_totp_data' ? flow.submit({ code: text }) : flow.refresh()
      }
    }
    case 'select_oob_otp_channels_data':
      return {
        title: 'How shall we send the code?',
        forms: flow.action.data.channels.map((channel) => ({
          button: `Send it ${by[channel]}`,
          submit: () => flow.submit({ channel }),
        })),
      }
    case 'verify_oob_otp_data': {
      const { otp_form, channel, masked_claim_value: target } = flow.action.data
      const again: Form = {
        button: `Send another ${otp_form}`,
        submit: () => flow.submit({ resend: true }),
      }
      return otp_form === 'link'
        ? {
            title: 'Open the link',
            text: sentence(otp_form, channel, target),
            forms: [
              { button: 'I have opened the link', submit: () => flow.submit({ check: true }) },
              again,
            ],
          }
        : {
            title: 'Enter the code',
            text: sentence(otp_form, channel, target),
            forms: [
              {
                fields: [code],
                button: 'Continue',
                submit: ({ texts: [text = ''] }) => flow.submit({ code: text }),
              },
              again,
            ],
          }
    }
    case 'view_recovery_code_data':
      return {
        title: 'Keep your recovery codes',
        text: 'Each one signs you in once without your authenticator app. They are shown only now.',
        codes: flow.action.data.recovery_codes,
        forms: [
          {
            button: 'I have kept them',
            submit: () => flow.submit({ confirm_recovery_code: true }),
          },
        ],
      }
    case 'create_passkey_data':
      return {
        title: 'Sign in faster next time',
        text: 'A passkey on this device replaces your password.',
        forms: [
          {
            button: 'Make a passkey',
            submit: async () =>
              flow.submit({
                creation_response: await createPasskey(flow.action.data.creation_options),
              }),
          },
          { button: 'Not now', submit: () => flow.submit({ skip: true }) },
        ],
      }
    case 'new_password_data':
      return {
        title: 'Choose a new password',
        text: rules(flow.action.data.password_policy),
        forms: [
          {
            fields: [newPassword],
            button: 'Set this password',
            submit: ({ texts: [new_password = ''] }) => flow.submit({ new_password }),
          },
        ],
      }
    case 'account_recovery_select_destination_data':
      return {
        title: 'Reset your password',
        forms: flow.action.data.options.map(({ otp_form, masked_display_name }, index) => ({
          heading: masked_display_name,
          button: `Send a ${otp_form}`,
          submit: () => flow.submit({ index }),
        })),
      }
    case 'account_recovery_verify_code_data': {
      const { otp_form, channel, masked_display_name: target } = flow.action.data
      const again: Form = {
        button: `Send another ${otp_form}`,
        submit: () => flow.submit({ resend: true }),
      }
      const enter: Form = {
        fields: [code],
        button: 'Continue',
        submit: ({ texts: [account_recovery_code = ''] }) => flow.submit({ account_recovery_code }),
      }
      return {
        title: otp_form === 'link' ? 'Open the link' : 'Enter the code',
        text: sentence(otp_form, channel, target),
        forms: otp_form === 'link' ? [again] : [enter, again],
      }
    }
    case 'terminate_other_sessions':
      return {
        title: 'Sign out elsewhere',
        text: 'You can be signed in at one place. Your other sessions end.',
        forms: [
          {
            button: 'Continue here',
            submit: () => flow.submit({ confirm_terminate_other_sessions: true }),
          },
        ],
      }
    default:
      return { title: 'This cannot be done here', text: flow.action.type, links: [['Home', '/']] }
  }
}

const trusted = (isChecked: boolean): { request_device_token?: true } =>
  isChecked ? { request_device_token: true } : {}

const sentence = (form: OtpForm, channel: Channel, target: string): string =>
  `We have sent a ${form} ${by[channel]} to ${target}.`
