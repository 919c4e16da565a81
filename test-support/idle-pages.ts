import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

const emptyStorage = 'sessionStorage.clear(), localStorage.clear(), location.origin'

/** Emptied pages of earlier tests, by the options of their contexts. */
const idle = new WeakMap<Browser, Map<string, Page[]>>()

/** The origins that a context has been at since it was emptied. */
const origins = new WeakMap<BrowserContext, Set<string>>()

/** What tests listen to. */
const pageEvents = ['console', 'framenavigated', 'pageerror', 'request', 'response'] as const
const contextEvents = ['console', 'weberror'] as const

function idlePages(browser: Browser, options: BrowserContextOptions): Page[] {
  const ofBrowser = idle.get(browser) ?? new Map<string, Page[]>()
  idle.set(browser, ofBrowser)
  const key = JSON.stringify(Object.entries(options).sort())
  const pages = ofBrowser.get(key) ?? []
  ofBrowser.set(key, pages)
  return pages
}

/** Whether a context is kept for later tests. */
export function isIdle(browser: Browser, context: BrowserContext): boolean {
  const kept = [...(idle.get(browser)?.values() ?? [])].flat()
  return kept.some((page) => page.context() === context)
}

/**
 * A page without cookies, storage and listeners, alone in a context with these options. It may come from an earlier test: to load
 * the console takes two seconds of a processor in a new context, and a quarter of that where it was loaded before, because the
 * process of the page has compiled its scripts.
 */
export async function takePage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const kept = idlePages(browser, options).pop()
  if (kept !== undefined) return kept
  const context = await browser.newContext(options)
  const visited = new Set<string>()
  origins.set(context, visited)
  context.on('request', (request) => {
    if (request.isNavigationRequest()) visited.add(new URL(request.url()).origin)
  })
  return context.newPage()
}

/** Keeps a page of {@link takePage} for another test, with nothing of the last one but the scripts that were added to it. */
export async function keepPage(
  browser: Browser,
  page: Page,
  options: BrowserContextOptions,
): Promise<void> {
  const context = page.context()
  if (page.isClosed()) return context.close()
  for (const other of context.pages()) if (other !== page) await other.close()
  for (const event of pageEvents) page.removeAllListeners(event)
  for (const event of contextEvents) context.removeAllListeners(event)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await context.clearPermissions()
  await context.setExtraHTTPHeaders({})
  // Only a page of an origin reaches its storage of the tab: this page that of its own, and of the others, whose servers may have
  // stopped, an empty one.
  const visited = origins.get(context) ?? new Set()
  const here = await page.evaluate(emptyStorage).catch(() => undefined) // `about:blank` has no storage
  visited.delete(String(here))
  if (visited.size > 0) await context.route('**', (route) => route.fulfill({ body: '' }))
  for (const origin of visited) {
    await page.goto(origin)
    await page.evaluate(emptyStorage)
  }
  visited.clear()
  await page.goto('about:blank')
  await context.unrouteAll()
  await page.mouse.move(0, 0)
  await context.clearCookies()
  const session = await context.newCDPSession(page)
  await session.send('Page.resetNavigationHistory')
  await session.detach()
  idlePages(browser, options).push(page)
}
