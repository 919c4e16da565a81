import { expect, it } from 'vitest'
import { answerOf, grafana, htmlOf, languages, target, textOf } from '../../test/pages.fixture.ts'
import { logoutDonePage, logoutPage } from './logout-pages.ts'
import { wordsOf } from './words/languages.ts'

it('the page to sign out names the app that asks, and the account', () => {
  const account = { name: 'maya@example.com' }
  const text = textOf(htmlOf((own) => logoutPage({ client: grafana, account, target }, own)))
  expect(text).toContain('\u2068Grafana\u2069 asks to sign you out.')
  expect(text).toContain('Signed in as maya@example.com')
  const alone = textOf(htmlOf((own) => logoutPage({ target }, own)))
  expect(alone).toContain('You will be signed out here')
  expect(alone).not.toContain('asks')
})

it('the page to sign out keeps the session by its first button, and ends it by the second', () => {
  const html = htmlOf((own) => logoutPage({ target }, own))
  expect(html.match(/<button[^>]*>/g)).toEqual([
    '<button type="submit" class="plain">',
    '<button type="submit" name="logout" value="yes">',
  ])
})

it('the page to sign out may lead to the address of the app', () => {
  const redirectUri = 'http://localhost:3000/bye'
  const { headers } = answerOf((own) => logoutPage({ redirectUri, target }, own))
  expect(headers['content-security-policy']).toContain("form-action 'self' https: http:;")
})

it.each(languages)('the page after it says whether one is signed out, in %s', (language) => {
  const words = wordsOf[language].logout
  expect(htmlOf((own) => logoutDonePage(true, own), language)).toContain(words.doneTitle)
  expect(htmlOf((own) => logoutDonePage(false, own), language)).toContain(words.stayedTitle)
})
