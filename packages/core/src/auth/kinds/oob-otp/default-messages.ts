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

/** The messages in English. */
export const defaultMessages: Readonly<Record<MessageName, MessageTexts>> = {
  verification: proof('Confirm your address', 'confirm your address', 'Confirm the address'),
  setup_primary_oob: setUp,
  setup_secondary_oob: setUp,
  authenticate_primary_oob: signIn,
  authenticate_secondary_oob: signIn,
  forgot_password: proof('Reset your password', 'reset your password', 'Reset the password'),
  signup_taken: {
    subject: 'Someone tried to sign up with your address',
    text: 'Someone tried to sign up at {{.Origin}} with this address, which has an account already. If it was you, sign in instead. If it was not, there is nothing you need to do.\n',
    html: page(
      '<p>Someone tried to sign up at {{.Origin}} with this address, which has an account already.</p><p>If it was you, sign in instead. If it was not, there is nothing you need to do.</p>',
    ),
  },
}
