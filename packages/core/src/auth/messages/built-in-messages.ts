import type { MessageName, MessageTexts } from './message-texts.ts'
import { isolated, isRightToLeft, wordsIn } from './words/languages.ts'
import type { NoticeWords, ProofWords, Words } from './words/words.ts'

/** For programs without the style sheet, in the light scheme. */
const inline = {
  body: 'margin:0;padding:0;background:#f4f4f5;color:#18181b',
  card: 'max-width:480px;width:100%;background:#ffffff;border:1px solid #e4e4e7;border-radius:10px',
  content: 'padding:28px 24px;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif',
  brand: 'margin:0 0 20px;font-weight:600;color:#52525b',
  paragraph: 'margin:0 0 16px',
  code: 'margin:0 0 16px;font:600 32px/1.3 ui-monospace,Consolas,monospace;letter-spacing:.18em',
  quiet: 'margin:0 0 16px;font-size:14px;color:#52525b',
  button:
    'display:inline-block;padding:12px 24px;border-radius:8px;font-weight:600;text-decoration:none',
} as const

/** Programs that follow the scheme of the device repaint it by these, in place of guessing. */
const sheet = `
:root { color-scheme: light dark; supported-color-schemes: light dark }
p { overflow-wrap: anywhere }
@media (prefers-color-scheme: dark) {
  .body { background: #09090b !important; color: #fafafa !important }
  .card { background: #18181b !important; border-color: #3f3f46 !important }
  .quiet { color: #a1a1aa !important }
  {{if not .Accent}}.button { background: #fafafa !important; color: #18181b !important }{{end}}
}
`

const colors =
  '{{if .Accent}}background:{{.Accent}};color:{{if .OnAccent}}{{.OnAccent}}{{else}}#ffffff{{end}}{{else}}background:#18181b;color:#ffffff{{end}}'

const paragraph = (text: string): string => `<p style="${inline.paragraph}">${text}</p>`
const quiet = (text: string): string => `<p class="quiet" style='${inline.quiet}'>${text}</p>`
const button = (text: string): string =>
  `<p style="${inline.paragraph}"><a href="{{.Link}}"><span class="button" style="${inline.button};${colors}">${text}</span></a></p>`
/** A time that breaks at a hyphen is misread, most of all between words from right to left. */
const withWholeTimes = (html: string): string =>
  html.replace(/\{\{\.(?:Time|DeleteAt)\}\}/g, '<span style="white-space:nowrap">$&</span>')
/** Under the button, for programs that show none, and for people who want to see where it leads. */
const address = quiet('<bdi dir="ltr">{{.Link}}</bdi>')

/** Makes the templates of one language from its words. */
class Templates {
  readonly #language: string
  readonly #words: Words

  constructor(language: string, words: Words) {
    this.#language = language
    this.#words = words
  }

  /** A text with actions of templates in the place of its values. */
  #filled(text: string): string {
    return text.replace(/\{(\w+)\}/g, (_, name: string) => isolated(`{{.${name}}}`, this.#language))
  }

  #page(subject: string, parts: readonly string[]): string {
    const direction = isRightToLeft(this.#language) ? 'rtl' : 'ltr'
    return [
      `<!doctype html><html lang="${this.#language}" dir="${direction}"><head><meta charset="utf-8">`,
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
      `<title>${subject}</title><style>${sheet}</style></head><body class="body" style="${inline.body}">`,
      `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:24px 12px">`,
      `<table role="presentation" class="card" cellpadding="0" cellspacing="0" border="0" style="${inline.card}"><tr>`,
      `<td dir="${direction}" align="${direction === 'rtl' ? 'right' : 'left'}" style='${inline.content}'>`,
      `{{if .Logo}}<p style="${inline.paragraph}"><img src="{{.Logo}}" alt="{{.Name}}" height="36" style="height:36px;max-width:100%;border:0"></p>`,
      `{{else if ne .Name .Origin}}<p class="quiet" style="${inline.brand}">{{.Name}}</p>{{end}}`,
      ...parts.map(withWholeTimes),
      '{{if ne .Name .Origin}}',
      quiet('<bdi dir="ltr">{{.Origin}}</bdi>'),
      '{{end}}</td></tr></table></td></tr></table></body></html>',
    ].join('')
  }

  proof({ subject, ...words }: ProofWords): MessageTexts {
    const { lifetime, ignore } = this.#words.proofs
    const [code, above] = [this.#filled(words.code), this.#filled(words.above)]
    const end = `${this.#filled(lifetime)} ${ignore}`
    return {
      subject: `${subject}{{if .Code}}: {{.Code}}{{end}}`,
      text: `{{if .Link}}${words.link}\n\n{{.Link}}\n{{else}}${code}\n{{end}}\n${end}\n`,
      sms: `{{if .Link}}${words.link} {{.Link}}{{else}}${code} ${this.#filled(lifetime)}{{end}}`,
      html: this.#page(subject, [
        `{{if .Link}}${paragraph(words.link)}${button(words.button)}${address}`,
        `{{else}}${paragraph(above)}<p dir="ltr" align="center" style="${inline.code}">{{.Code}}</p>{{end}}`,
        quiet(end),
      ]),
    }
  }

  /** What happened, with the device and the place where they are known. */
  #fact(fact: string): string {
    const { device, place } = this.#words.notices
    const where = `{{if .Device}}${this.#filled(device)}{{end}}{{if .Place}}${this.#filled(place)}{{end}}`
    return this.#filled(fact.replace('{Where}', '\u0000')).replace('\u0000', where)
  }

  /** A mail about something that its reader may not have done, and what to do then. */
  notice(
    { subject, fact }: NoticeWords,
    [remedy, remedyLink]: readonly [plain: string, link: string],
  ): MessageTexts {
    const { calm, notMe } = this.#words.notices
    const what = this.#fact(fact)
    return {
      subject,
      text: `${what}\n\n${calm} {{if .Link}}${remedyLink}\n\n{{.Link}}{{else}}${remedy}{{end}}\n`,
      html: this.#page(subject, [
        paragraph(what),
        paragraph(`${calm} {{if .Link}}${remedyLink}{{else}}${remedy}{{end}}`),
        `{{if .Link}}${button(notMe)}${address}{{end}}`,
      ]),
    }
  }

  deletion({ subject, fact, when, keep, button: label }: Words['deletion']): MessageTexts {
    const [what, date] = [this.#fact(fact), this.#filled(when)]
    return {
      subject,
      text: `${what}\n${date}\n\n${keep}\n\n{{.Link}}\n`,
      html: this.#page(subject, [
        paragraph(what),
        paragraph(date),
        paragraph(keep),
        button(label),
        address,
      ]),
    }
  }

  invitation({
    subject,
    fact,
    accept,
    button: label,
    until,
    ignore,
  }: Words['invitation']): MessageTexts {
    const what = this.#filled(fact)
    const end = `${this.#filled(until)} ${ignore}`
    return {
      subject,
      text: `${what}\n\n${accept}\n\n{{.Link}}\n\n${end}\n`,
      html: this.#page(subject, [
        paragraph(what),
        paragraph(accept),
        button(label),
        address,
        quiet(end),
      ]),
    }
  }

  taken({ subject, fact, calm }: Words['taken']): MessageTexts {
    const what = this.#filled(fact)
    return {
      subject,
      text: `${what} ${calm}\n`,
      html: this.#page(subject, [paragraph(what), paragraph(calm)]),
    }
  }
}

/** The built-in messages of a language, made from its words. */
export function builtInMessages(
  language: string,
  words: Words,
): Readonly<Record<MessageName, MessageTexts>> {
  const templates = new Templates(language, words)
  const { proofs, notices } = words
  const setUp = templates.proof(proofs.setUp)
  const signIn = templates.proof(proofs.signIn)
  const change = [notices.remedy, notices.remedyLink] as const
  return {
    verification: templates.proof(proofs.verification),
    setup_primary_oob: setUp,
    setup_secondary_oob: setUp,
    authenticate_primary_oob: signIn,
    authenticate_secondary_oob: signIn,
    forgot_password: templates.proof(proofs.recovery),
    signup_taken: templates.taken(words.taken),
    invitation: templates.invitation(words.invitation),
    new_sign_in: templates.notice(notices.newSignIn, [notices.endSession, notices.endSessionLink]),
    password_changed: templates.notice(notices.password, change),
    address_changed: templates.notice(notices.address, change),
    factor_changed: templates.notice(notices.factor, change),
    api_key_created: templates.notice(notices.apiKey, [notices.revokeKey, notices.revokeKeyLink]),
    impersonated: templates.notice(notices.impersonation, [
      notices.askOperators,
      notices.askOperators,
    ]),
    deletion_scheduled: templates.deletion(words.deletion),
  }
}

/** The names of all messages, in the order of the documentation. */
export const messageNames: readonly MessageName[] = Object.keys(
  builtInMessages('en', wordsIn('en')),
) as MessageName[]
