import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, expect, onTestFailed, onTestFinished } from 'vitest'
import { keepPage, takePage } from '../../../test-support/idle-pages.ts'

/** A page of the console, and what went wrong in it: faults, refusals of the security policy, requests to other hosts. */
export interface OpenedPage {
  readonly page: Page
  readonly problems: string[]
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

/** Opens an address in a page without cookies, storage and listeners, for the running test. */
export async function openPage(
  browser: Browser,
  url: string,
  options: PageOptions = {},
): Promise<OpenedPage> {
  const opened = await open(browser, url, options)
  onTestFinished(opened.close)
  return opened
}

/**
 * A page for those tests of a suite that leave no dialog open and do not mind what the browser remembers: to go on in a page takes a
 * quarter of the work of opening one. The function that is returned goes to an address. After a failure it is another page.
 */
export function useOnePage(
  browser: () => Browser,
  options: PageOptions = {},
): (url: string) => Promise<OpenedPage> {
  let opened: OpenedPage | undefined
  const close = async (): Promise<void> => {
    await opened?.close()
    opened = undefined
  }
  afterAll(close)
  return async (url) => {
    onTestFailed(close)
    if (opened === undefined) {
      opened = await open(browser(), url, options)
    } else {
      opened.problems.length = 0
      await opened.page.goto(url)
    }
    return opened
  }
}

async function open(browser: Browser, url: string, options: PageOptions): Promise<OpenedPage> {
  const {
    clock = false,
    own = clock,
    extraHTTPHeaders = {},
    colorScheme = 'light',
    viewport,
    ...lasting
  } = options
  const { locale = 'en', ...others } = lasting
  const made = { reducedMotion: 'reduce', locale, ...others } as const
  const isShared = !own && Object.keys(others).length === 0
  const page = isShared
    ? await takePage(browser, made)
    : await (await browser.newContext(made)).newPage()
  // A busy machine is slow.
  page.context().setDefaultTimeout(60_000)
  let isOpen = true
  const close = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    await (isShared ? keepPage(browser, page, made) : page.context().close())
  }
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
export async function untilSeenOnReturn(
  page: Page,
  text: string | RegExp,
  isShown = true,
): Promise<void> {
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
