import { type Browser, chromium, type Page } from 'playwright-core'
import { chromiumBinary, describeWith, pathOf } from './binaries.ts'

/** describe() for tests that need a browser. @see `describeWith` */
export function describeWithBrowser(name: string, body: () => void): void {
  describeWith([chromiumBinary], name, body)
}

/** Starts a Chromium without a window. Whoever opens it closes it. @throws {Error} if none is installed. */
export function openBrowser(): Promise<Browser> {
  // Its own sandbox does not start as root, or in a container; the pages are ours.
  return chromium.launch({ executablePath: pathOf(chromiumBinary), args: ['--no-sandbox'] })
}

/** Gives the browser of a page an authenticator that nobody needs to touch. */
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
