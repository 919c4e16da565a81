import type { AuthenticationData, AuthenticationOption } from '../protocol.ts'
import { type StepForm, type StepPage, waysOf } from './step-page.ts'
import type { StepSetting } from './step-setting.ts'

/** `authentication_data`: prove who you are. One form for each way. */
export function authenticatePage(data: AuthenticationData, { links }: StepSetting): StepPage {
  const { options, device_token_enabled: isTrustable = false } = data
  const forms = options.flatMap(formsOf)
  const kinds = options.map(({ authentication }) => authentication)
  const isSecond = kinds.some((kind) => kind.startsWith('secondary_'))
  const isPassword = kinds.every((kind) => kind === 'primary_password')
  const title = isPassword ? 'Enter your password' : 'Show that it is you'
  return {
    title: isSecond ? 'One more thing to show' : title,
    ...waysOf(isTrustable ? forms.map((form) => ({ ...form, checkbox: trust })) : forms),
    links: kinds.includes('primary_password') ? [links.recover, links.signIn] : [links.signIn],
  }
}

const trust = {
  name: 'request_device_token',
  label: 'Trust this browser, and do not ask again in the next weeks',
}

/** One form, or one for each channel of a code; none for a way these pages do not support. */
function formsOf(option: AuthenticationOption, index: number): StepForm[] {
  const { authentication } = option
  const hidden = { authentication }
  switch (authentication) {
    case 'primary_password':
    case 'secondary_password': {
      const label = authentication === 'primary_password' ? 'Password' : 'Additional password'
      const field = {
        name: 'password',
        label,
        type: 'password',
        autocomplete: 'current-password',
      } as const
      return [
        { heading: `By your ${label.toLowerCase()}`, hidden, fields: [field], button: 'Sign in' },
      ]
    }
    case 'secondary_totp': {
      const field = {
        name: 'code',
        label: 'Code',
        autocomplete: 'one-time-code',
        hint: 'The six digits that your authenticator app shows',
        isNumber: true,
      }
      return [{ heading: 'By your authenticator app', hidden, fields: [field], button: 'Sign in' }]
    }
    case 'recovery_code': {
      const field = {
        name: 'recovery_code',
        label: 'Recovery code',
        autocomplete: 'off',
        hint: 'One of the codes that you saved. Each works once.',
      }
      return [{ heading: 'By a recovery code', hidden, fields: [field], button: 'Sign in' }]
    }
    case 'primary_oob_otp_email':
    case 'primary_oob_otp_sms':
    case 'secondary_oob_otp_email':
    case 'secondary_oob_otp_sms':
      return (option.channels ?? []).map((channel) => messageForm(option, index, channel))
    case 'primary_passkey': {
      const { request_options: options } = option
      if (options === undefined) return []
      return [
        {
          heading: 'By a passkey',
          hidden,
          passkey: { does: 'get', options },
          button: 'Use a passkey',
        },
      ]
    }
    default:
      return []
  }
}

function messageForm(option: AuthenticationOption, index: number, channel: string): StepForm {
  const { authentication, otp_form: form = 'code', masked_display_name: target = '' } = option
  return {
    heading: `By a ${form} ${channelNames[channel] ?? ''}`,
    hidden: { authentication, index, channel },
    button: `Send a ${form} to ${target}`,
  }
}

/** The names of channels. */
export const channelNames: Readonly<Record<string, string>> = {
  email: 'by email',
  sms: 'by text message',
  whatsapp: 'on WhatsApp',
}
