import { GatehouseClientError } from '@gatehouse/client'
import { describe, expect, it } from 'vitest'
import { authReasons } from '../../../core/src/auth/api/errors.ts'
import { en } from './en.ts'
import { problemOf } from './failures.ts'
import { chooseLanguage, isLanguage, languageNames } from './languages.ts'
import { noScript } from './no-script.ts'
import { joined, loadTexts, timeInWords, type Words, writer } from './texts.ts'

const languages = Object.keys(languageNames).filter(isLanguage)
const english = { texts: en, language: 'en' }
const words: Words = { t: writer(english, {}, { app: 'Harbor' }), own: {}, language: 'en' }
const now = Date.parse('2026-03-04T10:00:00Z')

const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort()

describe.each(languages)('the texts in %s', (language) => {
  it('are complete, and keep every placeholder', async () => {
    const { language: loaded, texts } = await loadTexts(language)
    expect(loaded).toBe(language)
    expect(Object.keys(texts)).toEqual(Object.keys(en))
    for (const [key, text] of Object.entries(texts)) {
      const original = en[key as keyof typeof en]
      expect({ key, names: placeholders(text) }).toEqual({ key, names: placeholders(original) })
      expect(text.trim()).not.toBe('')
    }
    expect(noScript[language]).toContain('JavaScript')
  })

  it('are not those of another language', async () => {
    const { texts } = await loadTexts(language)
    // Some words are the same everywhere, such as `Code`.
    const same = Object.entries(texts).filter(([key, text]) => text === en[key as keyof typeof en])
    expect(same.length).toBeLessThan(language === 'en' ? Number.POSITIVE_INFINITY : 10)
  })
})

describe('the sentence for a refusal', () => {
  it.each(authReasons)('is there for %s', (reason) => {
    const failure = new GatehouseClientError({ reason, message: 'secret detail', status: 400 })
    const { text } = problemOf(failure, words, now)
    expect(text).not.toMatch(/secret detail|\{\w+\}/)
    expect(text === en['error.fallback']).toBe(false)
  })

  it('says how long a lock lasts', () => {
    const info = { until: '2026-03-04T10:04:10Z' }
    const failure = new GatehouseClientError({ reason: 'AccountLockout', message: '', info })
    expect(problemOf(failure, words, now).text).toContain('5 minutes')
  })

  it('says how long to wait', () => {
    const retryAfterSeconds = 20
    const failure = new GatehouseClientError({
      reason: 'RateLimited',
      message: '',
      retryAfterSeconds,
    })
    expect(problemOf(failure, words, now).text).toContain('20 seconds')
  })

  it('depends on the secret, the rule and the form', () => {
    const text = (
      reason: 'InvalidCredentials' | 'InvariantViolated' | 'ValidationFailed',
      info: object,
    ) => problemOf(new GatehouseClientError({ reason, message: '', info }), words, now)
    expect(text('InvalidCredentials', { AuthenticationType: 'password' }).text).toMatch(/password/)
    expect(text('InvalidCredentials', { AuthenticationType: 'totp' }).text).toMatch(/next one/)
    expect(text('InvalidCredentials', { AuthenticationType: 'oob_otp_email' }).text).toMatch(
      /newest message/,
    )
    expect(text('InvariantViolated', { cause: { kind: 'DuplicatedIdentity' } }).text).toMatch(
      /belongs to an account/,
    )
    const causes = [{ location: '/login_id', kind: 'format', details: { format: 'email' } }]
    expect(text('ValidationFailed', { causes })).toEqual({
      text: en['error.email'],
      at: '/login_id',
    })
  })

  it('is the app’s own where the app refuses', () => {
    const info = { reasons: [{ title: 'no', reason: 'Only staff may sign in.' }] }
    const failure = new GatehouseClientError({ reason: 'HookDisallowed', message: '', info })
    expect(problemOf(failure, words, now).text).toBe('Only staff may sign in.')
  })

  it('tells no detail of a failure that is none of the service', () => {
    expect(problemOf(new TypeError('x is undefined'), words, now).text).toBe(en['error.fallback'])
  })
})

describe('the language', () => {
  it.each([
    ['', '', 'en'],
    ['de', 'fr', 'de'],
    ['xx ja', 'fr', 'ja'],
    ['', 'pt, es;q=0.5, fr;q=0.8', 'fr'],
    ['', 'de-AT', 'de'],
    ['', 'de;q=0, ar', 'ar'],
    ['', `${'xx,'.repeat(1_000)}de`, 'en'],
  ])('for ui_locales "%s" and Accept-Language "%s" is %s', (uiLocales, accepted, language) => {
    expect(chooseLanguage(uiLocales, accepted, languages)).toBe(language)
  })

  it('is one that the app offers, else the first of these', () => {
    expect(chooseLanguage('fr', 'ja', ['de', 'en'])).toBe('de')
    expect(chooseLanguage('', 'ja, en', ['de', 'en'])).toBe('en')
  })
})

it('the texts of an app replace those of the page, with its values', () => {
  const own = { 'login.title': 'Come in, {app}', __proto__: null } as unknown as Record<
    string,
    string
  >
  const write = writer(english, own, { app: 'Harbor' })
  expect(write('login.title')).toBe('Come in, Harbor')
  expect(write('with.provider', { provider: '{app}' })).toBe('Continue with {app}')
})

it('values in a text from right to left keep their own direction', async () => {
  const { texts, language } = await loadTexts('ar')
  const write = writer({ texts, language }, {}, { app: 'Harbor (beta)' })
  expect(write('login.title')).toBe(
    texts['login.title'].replace('{app}', '\u2068Harbor (beta)\u2069'),
  )
  expect(joined(['2001:db8::1', undefined, ''], language)).toBe('\u20682001:db8::1\u2069')
  expect(joined(['2001:db8::1', 'Norway'], 'en')).toBe('2001:db8::1\u00a0· Norway')
})

it.each([
  [400, 'en', '1 second'],
  [89_000, 'en', '89 seconds'],
  [90_000, 'en', '2 minutes'],
  [7_200_000, 'de', '2 Stunden'],
])('%d ms in words in %s are %s', (ms, language, text) => {
  expect(timeInWords(ms, language)).toBe(text)
})
