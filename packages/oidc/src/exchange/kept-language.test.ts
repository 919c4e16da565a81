import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import {
  authorize,
  type Browser,
  callback,
  clients,
  origin,
  startWorld,
  type Visit,
  type World,
} from '../../test/world.fixture.ts'
import { wordsOf } from '../pages/words/languages.ts'

const unescaped = (text: string): string => text.replaceAll('&amp;', '&')

const languageOf = ({ text }: Visit): string | undefined => /<html lang="(\w+)"/.exec(text)?.[1]

/** What a page says. Names of apps in it have marks for their direction. */
const textOf = ({ text }: Visit): string => text.replace(/[\u2068\u2069]/g, '')

/** Follows the link of a page to its other language. */
function choose(browser: Browser, page: Visit, language: string): Promise<Visit> {
  const [, href] = new RegExp(`<a href="([^"]*)" lang="${language}">`).exec(page.text) ?? []
  return browser.open(new URL(unescaped(href ?? expect.fail('it has no such link')), page.url))
}

async function openConsent(world: World, parameters: Readonly<Record<string, string>> = {}) {
  const browser = world.browser()
  const configuration = await world.configuration('asking')
  const asked = await authorize(configuration, parameters)
  const page = await browser.signIn(await browser.open(asked.url))
  return { browser, configuration, page, ...asked }
}

describe('people who choose a language', () => {
  it('on the page of consent go on in it, whatever the app wishes for, and lose nothing', async () => {
    const world = await startWorld()
    const { browser, configuration, page, verifier, state } = await openConsent(world, {
      ui_locales: 'fr',
    })
    expect(languageOf(page)).toBe('fr')
    const german = await choose(browser, page, 'de')
    expect(languageOf(german)).toBe('de')
    expect(textOf(german)).toContain(wordsOf.de.consent.title('Weather Notes'))
    expect(german.url.pathname).toBe(page.url.pathname)
    const foreign = await browser.send(german, { proof: 'x', decision: 'allow' })
    expect([foreign.status, languageOf(foreign)]).toEqual([403, 'de'])
    const back = await browser.send(german, { decision: 'allow' })
    expect(`${back.url.origin}${back.url.pathname}`).toBe(callback)
    const tokens = await client.authorizationCodeGrant(configuration, back.url, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
    expect(tokens.claims()?.sub).toBe(world.userId)
  })

  it('keep it where they sign in, and after it', async () => {
    const world = await startWorld()
    const { browser, page } = await openConsent(world, { ui_locales: 'fr' })
    const arabic = await choose(browser, page, 'ar')
    expect(arabic.text).toContain('<html lang="ar" dir="rtl"')
    const login = await browser.send(arabic, { decision: 'switch' })
    expect(login.url.searchParams.get('ui_locales')).toBe('ar')
    // The sign-in page names the language that was chosen on it.
    const begun = await browser.open((await authorize(await world.configuration('asking'))).url)
    const next = new URL(begun.url)
    next.searchParams.set('ui_locales', 'es')
    const consent = await browser.open(`${next.pathname}${next.search}`)
    expect(languageOf(consent)).toBe('es')
  })

  it('of a device see the same code in it, and then who asks', async () => {
    const world = await startWorld({
      oidc: { clients: [clients.native], deviceFlow: true },
    })
    const configuration = await world.configuration('native')
    const { user_code } = await client.initiateDeviceAuthorization(configuration, {
      scope: 'openid',
    })
    const browser = world.browser()
    const entry = await choose(browser, await browser.open('/oidc/device'), 'ja')
    expect(entry.text).toContain(wordsOf.ja.device.title)
    const wrong = await browser.send(entry, { user_code: 'XXXX-XXXX' })
    expect(wrong.text).toContain(wordsOf.ja.device.problems.wrong)
    const compare = await browser.send(wrong, { user_code })
    expect([languageOf(compare), compare.text.includes(user_code)]).toEqual(['ja', true])
    // It answers a form, so that only a form leads to it again.
    const [, action] =
      /<button type="submit" formaction="([^"]*)" lang="es">/.exec(compare.text) ?? []
    const form = compare.text.slice(compare.text.indexOf('<form method="post"><nav'))
    const again = await browser.send(
      { ...compare, text: form.replace('<form', `<form action="${action}"`) },
      {},
    )
    expect(textOf(again)).toContain(wordsOf.es.device.confirmTitle('Command line'))
    expect(again.text).toContain(user_code)
    const login = await browser.send(again, {})
    expect(login.url.searchParams.get('ui_locales')).toBe('es')
    const consent = await browser.signIn(login)
    const done = await browser.send(consent, { decision: 'allow' })
    expect(done.status).toBe(200)
    // Its address counts once.
    expect(done.text).not.toContain('<nav')
  })

  it('keep it until they have signed out', async () => {
    const world = await startWorld()
    const { browser } = await openConsent(world)
    const page = await choose(browser, await browser.open('/oidc/logout?client_id=web'), 'de')
    expect(textOf(page)).toContain(wordsOf.de.logout.askedBy('Harbor Board'))
    const done = await browser.send(page, { logout: 'yes' })
    expect(done.text).toContain(wordsOf.de.logout.doneTitle)
    expect((await choose(browser, done, 'ar')).text).toContain(wordsOf.ar.logout.doneTitle)
  })

  it('where a request failed read the same failure', async () => {
    const world = await startWorld()
    const browser = world.browser()
    const page = await browser.open('/oidc/authorize?client_id=nobody&state=%22%3E%3Cscript%3E')
    const german = await choose(browser, page, 'de')
    expect([page.status, german.status]).toEqual([400, 400])
    expect(german.text).toContain(wordsOf.de.failure.advice.request)
    expect(german.text).not.toContain('<script')
    const expired = await choose(browser, await browser.open('/oidc/interaction/none'), 'fr')
    expect(expired.text).toContain(wordsOf.fr.failure.advice.expired)
  })

  it('are led nowhere else by an address that names a language', async () => {
    const world = await startWorld()
    const { browser, page } = await openConsent(world)
    const wish = `${'x'.repeat(99)}//evil.example`
    for (const language of ['//evil.example', 'https://evil.example/', wish]) {
      const url = new URL(page.url)
      url.searchParams.set('ui_locales', language)
      const shown = await browser.open(url)
      const [, action = ''] = /<form[^>]* action="([^"]*)"/.exec(shown.text) ?? []
      expect(new URL(action, shown.url).origin).toBe(origin)
      const login = await browser.send(shown, { decision: 'switch' })
      expect([login.url.origin, login.url.pathname]).toEqual([origin, '/login'])
    }
  })
})
