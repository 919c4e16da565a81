import { describe, expect, it } from 'vitest'
import { checkMessageTemplate, createMessages, type MessageData } from './message-templates.ts'
import { sampleMessages } from './sample-messages.ts'

const data: MessageData = {
  code: '402918',
  link: '',
  minutes: 5,
  origin: 'https://auth.example.com',
  channel: 'email',
}
const link = { ...data, code: '', link: 'https://auth.example.com/v?code=A&b=1' }

describe('a message', () => {
  it('in English contains the code, its purpose and its lifetime', () => {
    const { locale, subject, text, html } = createMessages()('verification', [], data)
    expect(locale).toBe('en')
    expect(subject).toBe('Confirm your address: 402918')
    expect(text).toContain('402918 is your code to confirm your address')
    expect(text).toContain('valid for 5 minutes')
    expect(html).toContain('402918')
    const short = createMessages()('verification', [], { ...data, minutes: 1 })
    expect(short.text).toContain('valid for 1 minute.')
  })

  it('with a link contains the link, and no code', () => {
    const { subject, text, html } = createMessages()('authenticate_primary_oob', [], link)
    expect(subject).toBe('Sign in')
    expect(text).toContain('https://auth.example.com/v?code=A&b=1')
    expect(html).toContain('<a href="https://auth.example.com/v?code=A&amp;b=1">')
  })

  it('to the owner of a taken address contains neither', () => {
    const { text, html } = createMessages()('signup_taken', [], { ...data, code: '' })
    expect(text).toContain('Someone tried to sign up at https://auth.example.com')
    expect(`${text}${html}`).not.toContain('402918')
  })
})

describe('the language of a message', () => {
  const render = createMessages({
    de: { verification: { subject: 'Ihr Code', text: 'Code: {{.Code}}' } },
    'pt-BR': { verification: { text: 'Código: {{.Code}}' } },
  })
  const localeFor = (...locales: readonly string[]) => render('verification', locales, data).locale

  it('is the first preferred one with the message', () => {
    expect(localeFor('it', 'de', 'en')).toBe('de')
    expect(render('verification', ['de'], data)).toEqual({
      locale: 'de',
      subject: 'Ihr Code',
      text: 'Code: 402918',
      html: undefined,
    })
  })

  it('falls back from region to language, ignoring case', () => {
    expect(localeFor('de-AT')).toBe('de')
    expect(localeFor('PT-br')).toBe('pt-br')
    expect(localeFor('pt-PT')).toBe('en')
  })

  it('is English by default, and that of a built-in message where the app has none', () => {
    expect(localeFor()).toBe('en')
    expect(localeFor('tlh', '', '__proto__')).toBe('en')
    expect(render('forgot_password', ['pt-BR'], data).locale).toBe('en')
    expect(render('forgot_password', ['de'], data)).toMatchObject({
      locale: 'de',
      subject: 'Neues Passwort: 402918',
    })
  })

  it('is one that the app writes in, else the one that it names', () => {
    const render = createMessages({}, () => ({
      brand: {},
      localization: { fallback_language: 'fr', supported_languages: ['FR', 'de'] },
    }))
    const localeFor = (...wishes: string[]) => render('verification', wishes, data).locale
    expect(localeFor('ja', 'de-AT')).toBe('de')
    expect(localeFor('ja')).toBe('fr')
  })

  it('is chosen from a bounded number of wishes', () => {
    const many = Array.from({ length: 21 }, (_, index) => `x${index}`)
    expect(localeFor(...many, 'de')).toBe('en')
  })
})

describe('the texts of a host', () => {
  it('replace the English ones individually', () => {
    const render = createMessages({ en: { forgot_password: { text: 'Reset: {{.Code}}' } } })
    expect(render('forgot_password', [], data)).toMatchObject({
      subject: 'Reset your password: 402918',
      text: 'Reset: 402918',
    })
    expect(render('verification', [], data).subject).toBe('Confirm your address: 402918')
  })

  it('cannot inject a header by the subject', () => {
    const render = createMessages({
      en: { verification: { subject: 'Code\r\nBcc: all@x.io {{.Code}}', text: '' } },
    })
    expect(render('verification', [], data).subject).toBe('Code Bcc: all@x.io 402918')
  })

  it('cannot inject markup by their data', () => {
    const render = createMessages({
      en: { verification: { text: '', html: '<p>{{.Origin}}</p>' } },
    })
    const { html } = render('verification', [], { ...data, origin: '<script>' })
    expect(html).toBe('<p>&lt;script&gt;</p>')
  })

  it('for SMS are those of their own, else the text', () => {
    const texts = { text: 'Code: {{.Code}}', sms: '{{.Code}}' }
    const render = createMessages({ en: { verification: texts } })
    expect(render('verification', [], data).text).toBe('Code: 402918')
    expect(render('verification', [], { ...data, channel: 'sms' }).text).toBe('402918')
    const plain = createMessages({ en: { verification: { text: 'x' } } })
    expect(plain('verification', [], { ...data, channel: 'sms' }).text).toBe('x')
  })

  it('cannot run without end', () => {
    const text = '{{define "a"}}{{template "a"}}{{end}}{{template "a"}}'
    const render = createMessages({ en: { verification: { text } } })
    expect(() => render('verification', [], data)).toThrow(/depth|nested|deep/i)
  })

  it('are refused at once if they are not templates', () => {
    expect(() => createMessages({ en: { verification: { text: '{{.Code' } } })).toThrow(/template/i)
  })
})

describe('the check of a template', () => {
  it('accepts the values of messages, with and without a code or a link', () => {
    const template = '{{if .Code}}{{.Code}}{{else}}{{.Link}}{{end}} {{.Lifetime}} {{.DeleteAt}}'
    expect(() => checkMessageTemplate(template, 'text')).not.toThrow()
    expect(() => checkMessageTemplate('<a href="{{.Link}}">{{.Name}}</a>', 'html')).not.toThrow()
  })

  it.each([
    ['text', 'a\n\n{{.Code', /text:3/],
    ['text', 'a\n{{if not .Link}}{{.Kode}}{{end}}', /text:2.*Kode/],
    ['html', '<p>\n<a href="{{if .Link}}x">', /html/],
  ] as const)('names the line of a mistake in %s %j', (kind, template, message) => {
    expect(() => checkMessageTemplate(template, kind)).toThrow(message)
  })
})

describe('texts of an app', () => {
  it.each(['pt_BR', 'en-', 'a b', 'de-1', '__proto__x', 'x'.repeat(300)])(
    'are refused for %j, which is no language tag',
    (tag) => {
      const messages = { [tag]: { verification: { text: '{{.Lifetime}}' } } }
      expect(() => sampleMessages({ messages })).toThrow(
        'expected a language tag such as de or pt-BR',
      )
    },
  )

  it('are refused for a message that there is not', () => {
    const messages = { en: { verificaton: { text: 'x' } } }
    expect(() => sampleMessages({ messages } as object)).toThrow('verificaton')
  })
})
