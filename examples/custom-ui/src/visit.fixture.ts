import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { openBrowser } from '../../../test-support/browser.ts'
import type { BuiltServer } from './built-server.fixture.ts'
import { password } from './maya.fixture.ts'

/** A browser for the tests of a suite. */
export interface Visits {
  /** Opens a page in a new browser context, with cookies of its own. Errors of its pages fail the test. */
  visit(server: BuiltServer): Promise<Page>
}

/** Opens a browser for the calling suite. */
export function useVisits(): Visits {
  let opening: Promise<Browser> | undefined
  const closing: (() => Promise<void>)[] = []
  const complaints: string[] = []
  vi.setConfig({ testTimeout: 60_000 })
  beforeAll(() => {
    // Servers start meanwhile. The first visit reports a failure.
    opening = openBrowser()
    opening.catch(() => {})
  })
  afterAll(async () => {
    const browser = await opening
    await browser?.close()
  })
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
    expect(complaints.splice(0)).toEqual([])
  })

  return {
    async visit(server) {
      const browser = await opening
      if (browser === undefined) throw new Error('the browser is not open yet')
      const context = await browser.newContext({ baseURL: server.origin })
      closing.push(() => context.close())
      context.on('console', (message) => {
        const text = message.text()
        // A page may answer 404, but the files it loads must exist.
        if (message.type() === 'error' && !/^Failed to load/.test(text)) complaints.push(text)
      })
      context.on('response', (response) => {
        const isFile = !response.request().isNavigationRequest() && !/\/api\//.test(response.url())
        if (isFile && response.status() >= 400) complaints.push(response.url())
      })
      context.on('weberror', (error) => complaints.push(error.error().message))
      context.setDefaultTimeout(15_000)
      return context.newPage()
    },
  }
}

/** Waits until a page has this `h1`. */
export async function arriveAt(page: Page, title: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 1 })
  await expect.poll(() => heading.innerText(), { timeout: 15_000 }).toBe(title)
}

/** Returns the accessibility problems of the page it runs in. */
export const accessibility: string = readFileSync(
  new URL('accessibility.fixture.js', import.meta.url),
  'utf8',
)

/** Waits for a page, and checks its accessibility in both colour schemes. */
export async function lookOver(page: Page, title: string): Promise<void> {
  await arriveAt(page, title)
  // A browser moves the focus at its first paint.
  const problems = (): Promise<string[]> => page.evaluate<string[]>(accessibility)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    const message = `${title}, ${colorScheme}`
    await expect.poll(problems, { message, timeout: 15_000 }).toEqual([])
  }
}

export function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).click()
}

/** Signs a user up, as far as the page after the password: by default their account. */
export async function signUp(
  server: BuiltServer,
  page: Page,
  address: string,
  next = address,
): Promise<void> {
  await page.goto('/signup')
  await page.getByLabel('Email address').fill(address)
  await page.getByLabel('Email address').press('Enter')
  await arriveAt(page, 'Enter the code')
  await page.getByLabel('Code').fill(await server.codeTo(address))
  await press(page, 'Continue')
  await page.getByLabel('New password').fill(password)
  await press(page, 'Set this password')
  await arriveAt(page, next)
}

/** Signs in a user with a password, as far as the page after it. */
export async function signIn(page: Page, address: string, next = address): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email address').fill(address)
  await page.getByLabel('Email address').press('Enter')
  await page.getByLabel('Password').fill(password)
  await press(page, 'Sign in')
  await arriveAt(page, next)
}
