import type { MessageName, MessageTexts } from './message-texts.ts'

const page = (body: string): string =>
  `<!doctype html><html lang="en"><body style="font-family:sans-serif">${body}</body></html>`

const minutes = '{{.Minutes}} minute{{if ne .Minutes 1}}s{{end}}'

/** A message with a code to type, or a link to open. */
function proof(subject: string, purpose: string, button: string): MessageTexts {
  return {
    subject: `${subject}{{if .Code}}: {{.Code}}{{end}}`,
    text: [
      `{{if .Link}}Open this link to ${purpose}:\n\n{{.Link}}\n`,
      `{{else}}{{.Code}} is your code to ${purpose} at {{.Origin}}.\n{{end}}`,
      `\nIt is good for ${minutes}. If you did not ask for it, you can ignore this message.\n`,
    ].join(''),
    html: page(
      [
        `{{if .Link}}<p>Open this link to ${purpose}:</p><p><a href="{{.Link}}">${button}</a></p>`,
        `{{else}}<p>This is your code to ${purpose} at {{.Origin}}:</p>`,
        '<p style="font-size:2em;letter-spacing:.2em">{{.Code}}</p>{{end}}',
        `<p>It is good for ${minutes}. If you did not ask for it, you can ignore this message.</p>`,
      ].join(''),
    ),
  }
}

const setUp = proof(
  'Confirm this address',
  'use this address for signing in',
  'Confirm the address',
)
const signIn = proof('Sign in', 'sign in', 'Sign in')

/** A mail about a change of an account. */
const notice = (subject: string, change: string): MessageTexts =>
  warning(
    subject,
    `${change} of your account at {{.Origin}} changed on {{.Time}}`,
    'reset your password and end your other sessions',
  )

/** A mail about something that its reader may not have done, and what to do then. */
function warning(subject: string, event: string, remedy: string): MessageTexts {
  const where = '{{if .Device}} with {{.Device}}{{end}}{{if .Place}} from {{.PlaceName}}{{end}}'
  const fact = `${event}${where}.`
  const calm = 'If it was you, there is nothing you need to do.'
  const alarm = `If it was not, ${remedy}`
  return {
    subject,
    text: `${fact}\n\n${calm} ${alarm}{{if .Link}}:\n\n{{.Link}}{{else}} at once.{{end}}\n`,
    html: page(
      `<p>${fact}</p><p>${calm} ${alarm}{{if .Link}}: <a href="{{.Link}}">it was not me</a>{{else}} at once.{{end}}</p>`,
    ),
  }
}

/** The messages in English. */
export const defaultMessages: Readonly<Record<MessageName, MessageTexts>> = {
  verification: proof('Confirm your address', 'confirm your address', 'Confirm the address'),
  setup_primary_oob: setUp,
  setup_secondary_oob: setUp,
  authenticate_primary_oob: signIn,
  authenticate_secondary_oob: signIn,
  forgot_password: proof('Reset your password', 'reset your password', 'Reset the password'),
  new_sign_in: warning(
    'New sign-in to your account',
    'Someone signed in to your account at {{.Origin}} on {{.Time}}',
    'end that session and change your password',
  ),
  password_changed: notice('Your password was changed', 'The password'),
  address_changed: notice('Your addresses were changed', 'The addresses'),
  factor_changed: notice('Your ways to sign in were changed', 'The ways to sign in'),
  signup_taken: {
    subject: 'Someone tried to sign up with your address',
    text: 'Someone tried to sign up at {{.Origin}} with this address, which has an account already. If it was you, sign in instead. If it was not, there is nothing you need to do.\n',
    html: page(
      '<p>Someone tried to sign up at {{.Origin}} with this address, which has an account already.</p><p>If it was you, sign in instead. If it was not, there is nothing you need to do.</p>',
    ),
  },
}
