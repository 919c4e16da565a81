import { describe, expect, it } from 'vitest'
import { testAuth } from '../service.fixture.ts'
import type { Page } from './page-answer.ts'
import { pageViewOf } from './page-view.ts'

const page: Page = { status: 200, title: 'A page', parts: [], form: { action: '/sent' } }

function htmlOf(
  query: string,
  {
    localization = {},
    method = 'GET',
    shown = page,
  }: { localization?: object; method?: string; shown?: Page } = {},
): string {
  const { auth } = testAuth({ localization })
  const headers = new Headers({ 'accept-language': 'de' })
  return String(pageViewOf(auth, { method, headers }, query).show(shown).body)
}

const choicesIn = (html: string): readonly string[] =>
  [...html.matchAll(/<(?:a|b|button)[^>]* lang="(\w+)"/g)].map(([, tag = '']) => tag)

describe('the languages of a page without scripts', () => {
  it('are links to its own address, each by its own name', () => {
    const html = htmlOf('code=X1&next=%2Fa%3Fb&ui_locales=ja')
    expect(choicesIn(html)).toEqual(['en', 'de', 'fr', 'es', 'ja', 'ar'])
    expect(html).toContain(
      '<a href="?code=X1&amp;next=%2Fa%3Fb&amp;ui_locales=de" lang="de">Deutsch</a>',
    )
    expect(html).toContain('<b aria-current="true" lang="ja">日本語</b>')
    expect(html).toContain('<nav class="languages" aria-label="言語">')
  })

  it('are those that the app offers; one alone is no choice', () => {
    const some = { fallback_language: 'en', supported_languages: ['en', 'fr-CA', 'tlh'] }
    expect(choicesIn(htmlOf('', { localization: some }))).toEqual(['en', 'fr'])
    const one = { fallback_language: 'en', supported_languages: ['en'] }
    expect(htmlOf('', { localization: one })).not.toContain('<nav')
  })

  it('are kept by its form once they were chosen', () => {
    expect(htmlOf('ui_locales=fr')).toContain('<form method="post" action="/sent?ui_locales=fr">')
    expect(htmlOf('')).toContain('<form method="post" action="/sent">')
    const shown = { ...page, form: { action: '/sent?a=1' } }
    expect(htmlOf('ui_locales=fr', { shown })).toContain('action="/sent?a=1&amp;ui_locales=fr"')
  })

  it('are buttons where only a form leads to the page, and not there where nothing does', () => {
    expect(htmlOf('', { method: 'POST' })).not.toContain('<nav')
    expect(htmlOf('', { shown: { ...page, repeat: 'never' } })).not.toContain('<nav')
    const repeated = htmlOf('', { method: 'POST', shown: { ...page, repeat: { code: '"1' } } })
    expect(repeated).toContain('<button type="submit" formaction="?ui_locales=fr" lang="fr">')
    expect(repeated).toContain('<input type="hidden" name="code" value="&#34;1">')
  })

  it.each(['"><script>', "' onclick='x", '//evil.example', '\u0000'])(
    'are safe with %j in the address',
    (value) => {
      const html = htmlOf(String(new URLSearchParams({ [value]: value, ui_locales: value })))
      expect(html).not.toMatch(/<script| onclick=/)
      for (const [, href = ''] of html.matchAll(/<a href="([^"]*)"/g)) {
        expect(new URL(href, 'https://id.example/page').origin).toBe('https://id.example')
      }
    },
  )

  it('are left out with an address that is very long', () => {
    expect(htmlOf(`a=${'x'.repeat(1_900)}`)).toContain('<nav')
    expect(htmlOf(`a=${'x'.repeat(2_000)}`)).not.toContain('<nav')
  })
})
