import { describe, expect, it } from 'vitest'
import {
  answerOf,
  consent,
  grafana,
  htmlOf,
  languages,
  textOf,
  withoutLanguages,
} from '../../test/pages.fixture.ts'
import { type ConsentView, consentPage, decisionOf } from './consent-page.ts'
import type { ShownClient } from './shown-client.ts'

const page = (view: Partial<ConsentView> = {}): string =>
  htmlOf((language) => consentPage({ ...consent, ...view }, language))

const withClient = (client: Partial<ShownClient>): string =>
  page({ client: { ...grafana, ...client } })

const policyOf = (view: Partial<ConsentView>): string =>
  String(
    answerOf((language) => consentPage({ ...consent, ...view }, language)).headers[
      'content-security-policy'
    ],
  )

describe('the consent page', () => {
  it('says which app, which account, what it asks for and where it leads', () => {
    expect(textOf(page()).replace(/[\u2068\u2069]/g, '')).toBe(
      'H Harbor Light G Allow Grafana to use your account? M Signed in as maya@example.com Maya Lund Use another account The app asks for An identifier, by which it recognizes you Your name, your picture and the rest of your profile Your email address After your answer you go to grafana.example. Deny Allow Privacy policy Terms of use',
    )
  })

  it('sends the answer with its token, and grants nothing by its first button', () => {
    const html = page()
    expect(html).toContain('<form method="post" action="/oidc/interaction/i1?ui_locales=en">')
    expect(html).toContain('<input type="hidden" name="token" value="t-1">')
    const values = [...html.matchAll(/<button[^>]* name="decision" value="(\w+)"/g)]
    expect(values.map(([, value]) => value)).toEqual(['switch', 'deny', 'allow'])
  })

  it.each(languages)('is complete in %s', (language) => {
    for (const redirectUri of ['https://grafana.example/cb', 'com.example:/cb', undefined]) {
      for (const isSelfRegistered of [true, false]) {
        const view = { ...consent, client: { ...grafana, isSelfRegistered }, redirectUri }
        const html = htmlOf((own) => consentPage(view, own), language)
        expect(html).toContain(
          `<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`,
        )
        expect(html).toContain('\u2068Grafana\u2069')
        expect(textOf(html)).not.toMatch(/undefined|\{|\}|=>/)
      }
    }
  })

  it('warns of an app that registered itself, and does not load its logo', () => {
    const html = withClient({ isSelfRegistered: true, logoUri: 'https://grafana.example/g.png' })
    expect(textOf(html)).toContain('registered itself, and its name was not checked')
    expect(textOf(html)).toContain('trust \u2068grafana.example\u2069')
    expect(html).not.toContain('g.png')
    expect(withClient({ logoUri: 'https://grafana.example/g.png' })).toContain(
      '<img class="emblem" src="https://grafana.example/g.png" alt="">',
    )
  })

  it('links to documents of an app that registered itself only at the host that it goes on at', () => {
    const documents = {
      policyUri: 'https://bank.example/privacy',
      tosUri: 'https://grafana.example/t',
    }
    const html = withClient({ isSelfRegistered: true, ...documents })
    expect(html).not.toContain('bank.example')
    expect(html).toContain('href="https://grafana.example/t"')
    expect(withClient(documents)).toContain('href="https://bank.example/privacy"')
    const native = page({
      client: { ...grafana, isSelfRegistered: true },
      redirectUri: 'http://127.0.0.1:4000/cb',
    })
    expect(native).not.toContain('href="https://grafana')
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'http://grafana.example/x',
    '//grafana.example/x',
    '/x',
    ' ',
    'https://',
  ])('shows neither a link nor an image for %j', (uri) => {
    const html = withClient({ policyUri: uri, tosUri: uri, logoUri: uri })
    expect(withoutLanguages(html)).not.toContain('<a ')
    expect(html).not.toContain('<img')
  })

  it('shows hostile names as text, alone on their line and short', () => {
    const hostile = '"><script>alert(1)</script>\u202e\'&amp;\u2069 x'
    const html = page({
      client: { ...grafana, name: hostile },
      account: { name: hostile, detail: hostile },
      asked: { scopes: [hostile], resources: [{ identifier: hostile, scopes: [hostile] }] },
      target: { action: `/a?"><script>`, values: { token: hostile, '"><b>': 'x' } },
    })
    expect(html).not.toMatch(/<script|<b>x| on\w+="/)
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;amp; x')
    const isolates = [...textOf(html).replace(/[^\u2066-\u2069\u202a-\u202e]/g, '')].join('')
    expect(isolates).toMatch(/^(?:\u2068\u2069)+$/)
    const long = withClient({ name: 'long '.repeat(500) })
    expect(/<h1>(.*)<\/h1>/.exec(long)?.[1]?.length).toBeLessThan(110)
  })

  it('shows the id of an app with a name that cannot be seen', () => {
    expect(withClient({ name: '\u200b\u202e' })).toContain('\u2068grafana\u2069')
    expect(withClient({ name: undefined })).toContain('\u2068grafana\u2069')
  })

  it.each([
    ['https://app.example:8443/cb', 'After your answer you go to \u2068app.example:8443\u2069.'],
    ['https://аpple.example/cb', 'you go to \u2068xn--pple-43d.example\u2069.'],
    ['https://user@evil.example/cb?x=bank.example', 'you go to \u2068evil.example\u2069.'],
    ['http://127.0.0.1:4000/cb', 'you go back to an app on this device.'],
    ['http://[::1]:4000/cb', 'you go back to an app on this device.'],
    ['com.example.app:/cb', 'you go back to an app on this device.'],
    [undefined, 'go back to your other device.'],
  ])('names the place after %s', (redirectUri, words) => {
    expect(textOf(page({ redirectUri }))).toContain(words)
  })

  it.each([
    ['https://app.example/cb', "form-action 'self' https:;"],
    ['com.example.app:/cb', "form-action 'self' https: com.example.app:;"],
    [undefined, "form-action 'self';"],
  ])('lets its form lead to %s', (redirectUri, directive) => {
    expect(policyOf({ redirectUri })).toContain(directive)
  })

  it('allows the image of its logo alone', () => {
    const logoUri = 'https://cdn.example/g.png'
    expect(policyOf({ client: { ...grafana, logoUri } })).toContain(
      'img-src https://cdn.example data:;',
    )
    expect(policyOf({ client: { ...grafana, logoUri, isSelfRegistered: true } })).toContain(
      'img-src data:;',
    )
  })

  it('is not framed, cached or indexed, has no scripts, and sends no referrer', () => {
    const { headers } = answerOf((language) => consentPage(consent, language))
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
    })
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; .*frame-ancestors 'none'$/,
    )
    expect(page()).not.toMatch(/<script|javascript:| on\w+=/)
  })
})

describe('the answer of the consent page', () => {
  it.each(['allow', 'deny', 'switch'] as const)('is read from its form: %s', (value) => {
    expect(decisionOf(new URLSearchParams({ decision: value }))).toBe(value)
  })

  it.each(['', 'decision=', 'decision=Allow', 'decision=deny&decision=allow', 'allow=allow'])(
    'is nothing for %j',
    (form) => {
      expect(decisionOf(new URLSearchParams(form))).toBeUndefined()
    },
  )
})
