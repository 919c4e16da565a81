import { html } from 'hono/html'
import type { CreationOption, PasskeyData, TotpData } from '../protocol.ts'
import { newPasswordField } from './new-password.ts'
import { type StepForm, type StepPage, waysOf } from './step-page.ts'

/** `create_authenticator_data`: set up a way to sign in. */
export function createAuthenticatorPage(options: readonly CreationOption[]): StepPage {
  const kinds = options.map(({ authentication }) => authentication)
  const isSecond = kinds.some((kind) => kind.startsWith('secondary_'))
  const isPassword = kinds.every((kind) => kind === 'primary_password')
  const ways = waysOf(options.flatMap(formOf))
  if (!isSecond)
    return { title: isPassword ? 'Choose a password' : 'Choose how to sign in', ...ways }
  const text = 'With it, your password alone is not enough to sign in.'
  return { title: 'Add a second way to show that it is you', text, ...ways }
}

/** Empty for a way these pages do not support. */
function formOf(option: CreationOption): StepForm[] {
  const { authentication, password_policy: policy = {}, target } = option
  const hidden = { authentication }
  switch (authentication) {
    case 'primary_password':
    case 'secondary_password':
      return [{ hidden, fields: [newPasswordField(policy)], button: 'Set this password' }]
    case 'secondary_totp':
      return [{ hidden, button: 'Use an authenticator app' }]
    case 'primary_oob_otp_email':
    case 'secondary_oob_otp_email':
    case 'primary_oob_otp_sms':
    case 'secondary_oob_otp_sms': {
      if (target !== undefined) {
        return [{ hidden, button: `Use codes sent to ${target.masked_display_name}` }]
      }
      const isEmail = authentication.endsWith('email')
      const field = isEmail
        ? ({ label: 'Email address for codes', type: 'email', autocomplete: 'email' } as const)
        : ({ label: 'Phone number for codes', type: 'tel', autocomplete: 'tel' } as const)
      return [{ hidden, fields: [{ name: 'target', ...field }], button: 'Send a code there' }]
    }
    default:
      return []
  }
}

/** `create_totp_data`: shows the TOTP secret for an app, and takes a code of it. */
export function createTotpPage({ secret, otpauth_uri: uri }: TotpData): StepPage {
  const groups = secret.match(/.{1,4}/g)?.join(' ') ?? secret
  return {
    title: 'Set up your authenticator app',
    body: html`<ol>
<li>On a device with such an app, <a href="${uri}">open it by this link</a>. Or enter this key in the app: <code>${groups}</code></li>
<li>Enter the code that the app shows then.</li>
</ol>`,
    forms: [
      {
        hidden: {},
        fields: [
          {
            name: 'code',
            label: 'Code',
            autocomplete: 'one-time-code',
            hint: 'Six digits, new every half minute',
            isNumber: true,
          },
        ],
        button: 'Continue',
      },
    ],
  }
}

/** `create_passkey_data`: offers a passkey. It can be skipped, also without scripts. */
export function createPasskeyPage(data: PasskeyData): StepPage {
  const { creation_options: options, allow_do_not_ask_again: canRefuse = false } = data
  const notAgain = { name: 'do_not_ask_again', label: 'Do not ask me again' }
  return {
    title: 'Sign in faster next time',
    text: 'A passkey takes the place of your password: you unlock this device, and are signed in.',
    forms: [
      { hidden: {}, passkey: { does: 'create', options }, button: 'Make a passkey' },
      { hidden: { skip: true }, ...(canRefuse ? { checkbox: notAgain } : {}), button: 'Not now' },
    ],
  }
}
