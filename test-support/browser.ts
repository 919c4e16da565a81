import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { chromiumBinary, describeWith, pathOf } from './binaries.ts'
import { isIdle } from './idle-pages.ts'

/** describe() for tests that need a browser. @see `describeWith` */
export function describeWithBrowser(name: string, body: () => void): void {
  describeWith([chromiumBinary], name, body)
}

let running: Promise<Browser> | undefined

/** A headless Chromium. It ends with the worker, whose suites share it: to start one costs as much as several tests. */
async function openBrowser(): Promise<Browser> {
  const earlier = await running
  if (earlier?.isConnected()) return earlier
  running = chromium.launch({
    executablePath: pathOf(chromiumBinary),
    args: [
      // Chromium's sandbox does not start as root or in a container; the pages are our own.
      '--no-sandbox',
    ],
  })
  return running
}

/** A headless Chromium for all tests of a suite. The function returns it to them. Contexts that they have left open end with the suite. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(async () => {
    for (const context of browser?.contexts() ?? []) {
      if (!isIdle(started(browser), context)) await context.close()
    }
  })
  return () => started(browser)
}

/** A server of its own for each test of a suite. The function returns it to them. */
export function useServer<S extends { stop(): Promise<void> }>(start: () => Promise<S>): () => S {
  let server: S | undefined
  beforeEach(async () => {
    server = await start()
  })
  afterEach(() => server?.stop())
  return () => started(server)
}

function started<T>(thing: T | undefined): T {
  if (thing === undefined)
    throw new Error('a suite starts it before its tests, not while it is read')
  return thing
}

/** Gives the browser of a page a virtual authenticator that answers without a touch. It ends with the session that is returned. */
export async function addAuthenticator(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return session
}
