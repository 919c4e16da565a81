import { type Browser, chromium } from 'playwright-core'
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
