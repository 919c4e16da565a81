import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { chromiumBinary, describeWith, pathOf } from './binaries.ts'

/** describe() for tests that need a browser. @see `describeWith` */
export function describeWithBrowser(name: string, body: () => void): void {
  describeWith([chromiumBinary], name, body)
}

/** Starts a headless Chromium. The caller closes it. @throws {Error} if Chromium is not installed. */
export function openBrowser(): Promise<Browser> {
  // Chromium's sandbox does not start as root or in a container; the pages are our own.
  return chromium.launch({ executablePath: pathOf(chromiumBinary), args: ['--no-sandbox'] })
}

/** A headless Chromium for all tests of a suite. The function returns it to them. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())
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

/** Gives the browser of a page a virtual authenticator that answers without a touch. */
export async function addAuthenticator(page: Page): Promise<void> {
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
}
