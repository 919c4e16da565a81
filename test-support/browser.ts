import { type Browser, chromium, type Page } from 'playwright-core'
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
