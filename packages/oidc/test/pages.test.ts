import type { AuthContext, Route } from '@gatehouse/core'
import { emptyAnswer, textAnswer } from '@gatehouse/core/adapter'
import { type Page, type PageLanguage, pageViewOf } from '@gatehouse/core/auth'
import type { Page as BrowserPage } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeWithBrowser } from '../../../test-support/browser.ts'
import { sampleOf } from '../../../test-support/lane.ts'
import { expectAccessible, press, usePages } from '../../sign-in/test/sign-in.fixture.ts'
import { consentPage } from '../src/pages/consent-page.ts'
import { consent, languages, samplePages } from './pages.fixture.ts'

type MakePage = (language: PageLanguage) => Page

/** Serves pages by their names, and keeps what their forms send. */
function pageRoutes(
  pages: Readonly<Record<string, MakePage>>,
  { sent = [], leadsTo = '/sent' }: { sent?: URLSearchParams[]; leadsTo?: string } = {},
): (auth: AuthContext) => readonly Route[] {
  const common = { path: '/pages/:name', action: 'public' } as const
  return (auth) => [
    {
      ...common,
      method: 'GET',
      async answer(request, { params, query }) {
        const { language, show } = pageViewOf(auth, request, query)
        const make = pages[params.name ?? '']
        return make === undefined ? emptyAnswer(404) : show(make(language))
      },
    },
    {
      ...common,
      method: 'POST',
      async answer(request) {
        sent.push(new URLSearchParams(Buffer.from(await request.arrayBuffer()).toString()))
        return emptyAnswer(303, { location: leadsTo })
      },
    },
    {
      method: 'GET',
      path: '/sent',
      action: 'public',
      answer: async () =>
        textAnswer(200, '<title>sent</title>', { 'content-type': 'text/html; charset=utf-8' }),
    },
  ]
}

/** The page, to be sent where this test serves it. */
const here =
  (make: MakePage): MakePage =>
  (language) => {
    const { form, ...page } = make(language)
    return form === undefined ? page : { ...page, form: { ...form, action: undefined } }
  }

const names = Object.keys(samplePages)

/** Usually every fourth page is seen in one of the two languages beside English. */
const isInTurn = sampleOf(8)

/** Whether a page is the first of its kind: of those for a consent, a device, a sign-out or a failure. */
const isFirstOfKind = (name: string): boolean =>
  names.find((one) => one.split('-')[0] === name.split('-')[0]) === name

const phone = { viewport: { width: 390, height: 780 } } as const

const focused = (page: BrowserPage): Promise<string> =>
  page.evaluate<string>('(document.activeElement?.textContent || document.activeElement?.id) ?? ""')

describeWithBrowser('the pages of an authorization server', () => {
  const { serve, open } = usePages()

  it('are accessible, wide and narrow, in both schemes', async () => {
    const { origin } = await serve({ routes: pageRoutes(samplePages) })
    const page = await open('about:blank')
    for (const name of names) {
      await page.goto(`${origin}/pages/${name}`)
      // The others of a kind have other words in the same colours.
      await expectAccessible(page, name, isFirstOfKind(name) ? {} : { part: 'main' })
    }
    await page.setViewportSize(phone.viewport)
    for (const [index, name] of names.entries()) {
      // The longest words, and text from right to left.
      for (const [place, language] of ['de', 'ar'].entries()) {
        if (!isInTurn(index, place)) continue
        await page.goto(`${origin}/pages/${name}?ui_locales=${language}`)
        expect(await page.evaluate('document.documentElement.lang')).toBe(language)
        await expectAccessible(page, `${name} in ${language}`)
      }
    }
  })

  it('give fingers room, and both answers the same, in each language', async () => {
    const { origin } = await serve({ routes: pageRoutes(samplePages) })
    const page = await open('about:blank', phone)
    for (const language of languages) {
      await page.goto(`${origin}/pages/consent-api?ui_locales=${language}`)
      const [deny, allow] = await page.locator('.buttons button').all()
      const sizes = [await deny?.boundingBox(), await allow?.boundingBox()]
      expect(sizes[0], language).toMatchObject({ width: sizes[1]?.width, height: sizes[1]?.height })
      expect(sizes[0]?.height, language).toBeGreaterThanOrEqual(44)
    }
  })

  it('are used with the keyboard, and a stray Enter sends nothing', async () => {
    const sent: URLSearchParams[] = []
    const pages = { consent: here((language) => consentPage(consent, language)) }
    const { origin } = await serve({ routes: pageRoutes(pages, { sent }) })
    const page = await open(`${origin}/pages/consent`)
    await page.keyboard.press('Enter')
    const order: string[] = []
    for (let times = 0; times < 5; times++) {
      await page.keyboard.press('Tab')
      order.push(await focused(page))
    }
    expect(order).toEqual([
      'Use another account',
      'Deny',
      'Allow',
      'Privacy policy',
      'Terms of use',
    ])
    expect(sent).toEqual([])
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${origin}/sent`)
    expect(sent.map((form) => form.toString())).toEqual(['decision=allow&token=t-1'])
  })

  it('begin in the field for a code, which Enter sends', async () => {
    const sent: URLSearchParams[] = []
    const code = samplePages['device-code-wrong'] ?? expect.fail('no page')
    const { origin } = await serve({ routes: pageRoutes({ code: here(code) }, { sent }) })
    const page = await open(`${origin}/pages/code`)
    expect(await focused(page)).toBe('code')
    const field = page.getByLabel('Code')
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await field.fill('wdjb mjht')
    await field.press('Enter')
    await page.waitForURL(`${origin}/sent`)
    expect(sent.map((form) => form.get('user_code'))).toEqual(['wdjb mjht'])
  })

  it('lead to the app, and from there to where the app goes on', async () => {
    const app = await serve({ routes: () => [onward('/end', undefined)] })
    const { origin: end } = app
    const callback = await serve({ routes: () => [onward('/cb', `${end}/end`)] })
    const redirectUri = `${callback.origin}/cb`
    const pages = {
      consent: here((language) => consentPage({ ...consent, redirectUri }, language)),
    }
    const { origin } = await serve({ routes: pageRoutes(pages, { leadsTo: redirectUri }) })
    const page = await open(`${origin}/pages/consent`)
    await press(page, 'Deny')
    await page.waitForURL(`${end}/end`)
    expect(await page.title()).toBe('the app')
  })
})

/** A path of an app, which goes on to another one. */
const onward = (path: string, to: string | undefined): Route => ({
  method: 'GET',
  path,
  action: 'public',
  answer: async () =>
    to === undefined
      ? textAnswer(200, '<title>the app</title>', { 'content-type': 'text/html' })
      : emptyAnswer(302, { location: to }),
})
