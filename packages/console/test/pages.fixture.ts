import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

/** A page of the console, and what went wrong in it: faults, refusals of the security policy, requests to other hosts. */
export interface OpenedPage {
  readonly page: Page
  readonly problems: readonly string[]
  /** Closes it before the end of the test, which closes it otherwise. */
  close(): Promise<void>
}

/** Options of {@link openPage}. */
export interface PageOptions extends BrowserContextOptions {
  /** Whether the test changes the page in a way that cannot be taken back (default false). */
  readonly own?: boolean
  /** Whether the page has a clock that the test can move (default false); it is a page of its own then. */
  readonly clock?: boolean
}

/**
 * Pages of earlier tests, emptied. To load the console takes two seconds of a processor in a new context, and a quarter of that
 * where it was loaded before, because the process of the page has compiled its scripts.
 */
const idle = new WeakMap<Browser, Map<string, Page[]>>()

/** The emptied pages of a browser in a language. */
function idlePages(browser: Browser, locale: string): Page[] {
  const ofBrowser = idle.get(browser) ?? new Map<string, Page[]>()
  idle.set(browser, ofBrowser)
  const pages = ofBrowser.get(locale) ?? []
  ofBrowser.set(locale, pages)
  return pages
}

/** Opens an address in a page without cookies, storage and listeners, for the running test. */
export async function openPage(
  browser: Browser,
  url: string,
  options: PageOptions = {},
): Promise<OpenedPage> {
  const {
    clock = false,
    own = clock,
    extraHTTPHeaders = {},
    colorScheme = 'light',
    viewport,
    ...lasting
  } = options
  const { locale = 'en', ...others } = lasting
  const isShared = !own && Object.keys(others).length === 0
  const pages = idlePages(browser, locale)
  const page = (isShared ? pages.pop() : undefined) ?? (await newPage(browser, lasting))
  let isOpen = true
  const close = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    if (!isShared) return page.context().close()
    await empty(page)
    pages.push(page)
  }
  onTestFinished(close)
  await page.context().setExtraHTTPHeaders(extraHTTPHeaders)
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize(viewport ?? { width: 1280, height: 900 })
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('request', (request) => {
    if (new URL(request.url()).host !== new URL(url).host) problems.push(request.url())
  })
  if (clock) await page.clock.install()
  await page.goto(url)
  return { page, problems, close }
}

/** Goes to the first alert by its key. The number of alerts is shown a moment before the alerts, and a key finds none then. */
export async function goToAlert(page: Page): Promise<void> {
  await page.locator('[data-fingerprint]').first().waitFor()
  await page.keyboard.press('j')
  await page.locator('[data-fingerprint]:focus').waitFor()
}

/**
 * Waits until the page shows something new of the server, to a user who comes back to its window again and again: what is old is read
 * then, and the intervals at which it would be read otherwise are longer than a test should wait.
 */
export async function untilSeenOnReturn(page: Page, text: string, isShown = true): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.evaluate(() =>
          document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
        )
        return page.getByText(text).first().isVisible()
      },
      { interval: 500 },
    )
    .toBe(isShown)
}

/**
 * Waits until the page shows something that it does not show before an interval has passed, or a pause between attempts. Its clock,
 * which must be installed, runs ahead until then: eight times as fast, so that no wait for the server ends early on a busy machine.
 */
export async function untilShownInTime(page: Page, shown: Locator): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(2_000)
        return shown.first().isVisible()
      },
      { interval: 250 },
    )
    .toBe(true)
}

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en', ...options })
  // A busy machine is slow.
  context.setDefaultTimeout(60_000)
  return context.newPage()
}

/** Leaves nothing of a test in a page. */
async function empty(page: Page): Promise<void> {
  const context = page.context()
  for (const event of ['pageerror', 'console', 'request'] as const) page.removeAllListeners(event)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await context.clearPermissions()
  const { origin } = new URL(page.url())
  await page.evaluate('sessionStorage.clear()')
  await page.goto('about:blank')
  await page.mouse.move(0, 0)
  await context.clearCookies()
  const session = await context.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await session.detach()
}

let lastPort = 0

/** Listens on the port of the last server if that has stopped, so that {@link openPage} finds the scripts it has loaded there. */
export async function listenAgain(server: Server): Promise<number> {
  try {
    await listen(server, lastPort)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    await listen(server, 0)
  }
  lastPort = (server.address() as AddressInfo).port
  return lastPort
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
