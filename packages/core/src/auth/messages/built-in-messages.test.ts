import { describe, expect, it } from 'vitest'
import { languageNames } from '../../../../sign-in/src/texts/languages.ts'
import { messageNames as names } from './built-in-messages.ts'
import { createMessages, type MessageData } from './message-templates.ts'
import { timeText } from './time-text.ts'
import { en } from './words/en.ts'
import { wordsIn, wordsOf } from './words/languages.ts'
import type { Words } from './words/words.ts'

const languages = [...wordsOf.keys()]

const code: MessageData = {
  code: '402918',
  link: '',
  minutes: 20,
  origin: 'https://auth.example.com',
  channel: 'email',
  device: { browser: 'Firefox', system: 'Linux' },
  place: 'NO',
  time: Date.UTC(2026, 2, 4, 10),
  deleteAt: Date.UTC(2026, 3, 3, 10),
}
const link = { ...code, code: '', link: 'https://auth.example.com/v?code=A&b=1' }
const brand = { name: 'Harbor & Light', logo: '/logo.png', accent: '#0b57d0', onAccent: 'ivory' }

const branded = createMessages({}, () => ({
  brand,
  localization: { fallback_language: 'en', supported_languages: undefined },
}))

/** Every text by its path, as `pages.keepTitle`. */
const textsIn = (words: object, path = ''): [path: string, text: string][] =>
  Object.entries(words).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[path + key, value]] : textsIn(value, `${path}${key}.`),
  )

const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort()

it('there are words in the languages of the sign-in pages', () => {
  expect(languages).toEqual(Object.keys(languageNames))
})

describe.each(languages)('the words in %s', (language) => {
  const words: Words = wordsIn(language)

  it('are complete, and keep every placeholder', () => {
    const original = new Map(textsIn(en))
    const own = textsIn(words)
    expect(own.map(([path]) => path)).toEqual([...original.keys()])
    for (const [path, text] of own) {
      expect({ path, names: placeholders(text) }).toEqual({
        path,
        names: placeholders(original.get(path) ?? ''),
      })
      expect(text.trim()).not.toBe('')
    }
  })

  it('are not those of another language', () => {
    const same = textsIn(words).filter(([path, text]) => text === new Map(textsIn(en)).get(path))
    expect(same.length).toBe(language === 'en' ? textsIn(en).length : 0)
  })

  it.each(names)('make the message %s, plain and as HTML, for its place', (name) => {
    for (const data of [code, link]) {
      const message = branded(name, [language], data)
      expect(message.locale).toBe(language)
      const { subject, text, html = '' } = message
      for (const part of [subject, text, html]) {
        expect(part).not.toMatch(/\{\w|\}\}|undefined|<no value>|ZgotmplZ/)
      }
      if (name.endsWith('oob')) expect(text).toContain(data.code + data.link)
      expect(html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
      expect(html).toContain('alt="Harbor &amp; Light"')
      expect(html).toContain('src="https://auth.example.com/logo.png"')
      const hasLink = data === link && name !== 'signup_taken'
      expect(html.includes('href="https://auth.example.com/v?code=A&amp;b=1"')).toBe(hasLink)
    }
  })

  it('make SMS of one line', () => {
    for (const data of [code, link]) {
      const { text } = branded('authenticate_primary_oob', [language], { ...data, channel: 'sms' })
      expect(text).not.toContain('\n')
      expect(text).toContain(data.code + data.link)
      expect(text.length).toBeLessThan(160)
    }
  })
})

it.each(languages)('times in mails in %s do not break over two lines', (language) => {
  const { html = '' } = createMessages()('deletion_scheduled', [language], link)
  for (const time of [Date.UTC(2026, 2, 4, 10), Date.UTC(2026, 3, 3, 10)]) {
    expect(html).toContain(`<span style="white-space:nowrap">${timeText(time, language)}</span>`)
  }
})

it.each([
  ['en', '4 March 2026 at 10:00 UTC'],
  ['de', '4. März 2026 um 10:00 UTC'],
  ['fr', '4 mars 2026 à 10:00 UTC'],
  ['ja', '2026年3月4日 10:00 UTC'],
  ['pt-br', '4 de março de 2026 às 10:00 UTC'],
  ['en-au', '4 March 2026 at 10:00 UTC'],
  ['xx', '4 March 2026 at 10:00 UTC'],
])('a time in %s is %s', (language, text) => {
  expect(timeText(Date.UTC(2026, 2, 4, 10), language)).toBe(text)
})

it('a browser named in Arabic is read from the right, and its names from the left', () => {
  const { text } = createMessages()('new_sign_in', ['ar'], code)
  expect(text).toContain('\u2068\u2068Firefox\u2069 على \u2068Linux\u2069\u2069')
})

it('a brand that mail programs would not show is left out', () => {
  const render = createMessages({}, () => ({
    brand: { name: 'Harbor', logo: 'data:image/png;base64,AA', accent: 'oklch(0.5 0.2 200)' },
    localization: { fallback_language: 'en', supported_languages: undefined },
  }))
  const { html } = render('verification', [], code)
  expect(html).not.toMatch(/data:|oklch|<img/)
  expect(html).toContain('>Harbor</p>')
})
