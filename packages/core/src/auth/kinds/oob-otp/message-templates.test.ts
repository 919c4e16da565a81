import { describe, expect, it } from 'vitest'
import { createMessages, type MessageData } from './message-templates.ts'

const data: MessageData = {
  code: '402918',
  link: '',
  minutes: 5,
  origin: 'https://auth.example.com',
  channel: 'email',
}
const link = { ...data, code: '', link: 'https://auth.example.com/v?code=A&b=1' }

describe('a message', () => {
  it('in English says the code, what it is for and how long it is good', () => {
    const { locale, subject, text, html } = createMessages()('verification', [], data)
    expect(locale).toBe('en')
    expect(subject).toBe('Confirm your address: 402918')
    expect(text).toContain('402918 is your code to confirm your address')
    expect(text).toContain('good for 5 minutes')
    expect(html).toContain('402918')
    const short = createMessages()('verification', [], { ...data, minutes: 1 })
    expect(short.text).toContain('good for 1 minute.')
  })

  it('with a link has the link, and no code', () => {
    const { subject, text, html } = createMessages()('authenticate_primary_oob', [], link)
    expect(subject).toBe('Sign in')
    expect(text).toContain('https://auth.example.com/v?code=A&b=1')
    expect(html).toContain('<a href="https://auth.example.com/v?code=A&amp;b=1">')
  })

  it('to the owner of a taken address has neither', () => {
    const { text, html } = createMessages()('signup_taken', [], { ...data, code: '' })
    expect(text).toContain('Somebody tried to sign up at https://auth.example.com')
    expect(`${text}${html}`).not.toContain('402918')
  })
})

describe('the language of a message', () => {
  const render = createMessages({
    de: { verification: { subject: 'Ihr Code', text: 'Code: {{.Code}}' } },
    'pt-BR': { verification: { text: 'Código: {{.Code}}' } },
  })
  const localeFor = (...locales: readonly string[]) => render('verification', locales, data).locale

  it('is the first one somebody reads in which there is the message', () => {
    expect(localeFor('fr', 'de', 'en')).toBe('de')
    expect(render('verification', ['de'], data)).toEqual({
      locale: 'de',
      subject: 'Ihr Code',
      text: 'Code: 402918',
      html: undefined,
    })
  })

  it('is found by the language where the region has none, whatever the case', () => {
    expect(localeFor('de-AT')).toBe('de')
    expect(localeFor('PT-br')).toBe('pt-br')
    expect(localeFor('pt-PT')).toBe('en')
  })

  it('is English where nothing else is known, or the message is missing there', () => {
    expect(localeFor()).toBe('en')
    expect(localeFor('tlh', '', '__proto__')).toBe('en')
    expect(render('forgot_password', ['de'], data).locale).toBe('en')
  })

  it('is looked for in the first ten alone', () => {
    const many = Array.from({ length: 10 }, (_, index) => `x${index}`)
    expect(localeFor(...many, 'de')).toBe('en')
  })
})

describe('the texts of a host', () => {
  it('take the place of the English ones, one by one', () => {
    const render = createMessages({ en: { forgot_password: { text: 'Reset: {{.Code}}' } } })
    expect(render('forgot_password', [], data)).toMatchObject({
      subject: '',
      text: 'Reset: 402918',
    })
    expect(render('verification', [], data).subject).toBe('Confirm your address: 402918')
  })

  it('cannot make two headers of a subject', () => {
    const render = createMessages({
      en: { verification: { subject: 'Code\r\nBcc: all@x.io {{.Code}}', text: '' } },
    })
    expect(render('verification', [], data).subject).toBe('Code Bcc: all@x.io 402918')
  })

  it('cannot put markup of data into a mail', () => {
    const render = createMessages({
      en: { verification: { text: '', html: '<p>{{.Origin}}</p>' } },
    })
    const { html } = render('verification', [], { ...data, origin: '<script>' })
    expect(html).toBe('<p>&lt;script&gt;</p>')
  })

  it('that are no templates are refused at once', () => {
    expect(() => createMessages({ en: { verification: { text: '{{.Code' } } })).toThrow(/template/i)
  })
})
