import { createServer, type Server } from 'node:http'
import { nodeAdapter } from '@gatehouse/adapter-node'
import { type AuthContext, createAuth, type Route, systemClock } from '@gatehouse/core'
import { type AuthOptions, createScryptHasher } from '@gatehouse/core/auth'
import { createPasskeys } from '@gatehouse/core/passkeys'
import { createMessageOutbox, type MessageOutbox } from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import type { Browser, Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { findingsOfAxe } from '../../../test-support/axe.ts'
import { useBrowser } from '../../../test-support/browser.ts'
import { keepPage, takePage } from '../../../test-support/idle-pages.ts'
import { isWide } from '../../../test-support/lane.ts'
import { listenAgain } from '../../../test-support/listen-again.ts'
import { type SignInOptions, signInRoutes } from '../src/index.ts'

export const maya = { email: 'maya@example.com', password: 'tidal-lantern-42' } as const

/** A server with the service and its pages. */
export interface SignInServer {
  readonly auth: AuthContext
  readonly origin: string
  readonly outbox: MessageOutbox
  /** The machine's, until it is moved. */
  readonly clock: { now(): number }
  /** Moves the clock of the service. The one of the browser stays. */
  pass(ms: number): void
  /** Stops answering; `again` answers at the same place. */
  stop(): Promise<void>
  again(): Promise<void>
}

export interface ServerOptions {
  /** Sections of the configuration. */
  readonly config?: object
  readonly pages?: SignInOptions
  readonly auth?: Partial<AuthOptions>
  /** A port that is known before (default: a free one). */
  readonly port?: number
  /** More routes of the app. */
  readonly routes?: (auth: AuthContext) => readonly Route[]
}

/** Starts a server on a free port, through the adapter of `node:http`. */
export async function startServer(given: ServerOptions = {}): Promise<SignInServer> {
  let listener: ReturnType<typeof nodeAdapter> | undefined
  const answer: NonNullable<typeof listener> = (request, response) => listener?.(request, response)
  let server = createServer(answer)
  const port =
    given.port === undefined ? await listenAgain(server) : await listenOn(server, given.port)
  const origin = `http://localhost:${port}`
  const outbox = createMessageOutbox()
  let passed = 0
  const clock = { ...systemClock, now: () => Date.now() + passed }
  const { http, ...sections } = { http: {}, ...given.config }
  const auth = createAuth({
    storage: createMemoryStorage({ clock }),
    config: {
      id: 'harbor',
      http: { public_origin: origin, allow_insecure: true, ...http },
      ...sections,
    },
    secrets: [{ id: 'k1', key: 'a key for tests, of 32 bytes or more' }],
    hasher: createScryptHasher({ N: 16, r: 1, p: 1 }),
    senders: outbox.senders,
    passkeys: createPasskeys(),
    logger: false,
    clock,
    ...given.auth,
  })
  const routes = [
    ...auth.routes,
    ...signInRoutes(auth, { name: 'Harbor Light', ...given.pages }),
    ...(given.routes?.(auth) ?? []),
  ]
  listener = nodeAdapter(routes)
  return {
    auth,
    origin,
    outbox,
    clock,
    pass: (ms) => {
      passed += ms
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    again: async () => {
      server = createServer(answer)
      await listenOn(server, port)
    },
  }
}

/** Returns the port on which the server listens. Fails if it is taken, in place of waiting for it. */
async function listenOn(server: Server, wanted: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new Error(`cannot serve the pages on port ${wanted}: ${cause.message}`, { cause }))
    })
    server.listen(wanted, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

/** A page in a browser of its own, and what went wrong in it. */
export interface Visit {
  readonly page: Page
  /** Errors of scripts and of the security policy. */
  readonly complaints: string[]
  close(): Promise<void>
}

/** Options of {@link visit}. */
export interface VisitOptions {
  readonly locale?: string
  readonly viewport?: { readonly width: number; readonly height: number }
  /** Whether the test changes the page in a way that cannot be taken back, such as its clock (default false). */
  readonly own?: boolean
  /** The cookies that the browser has, such as those of a session. */
  readonly cookies?: readonly { readonly name: string; readonly value: string }[]
}

/** Pages of tests do not move: half of the time would go into waiting for what moves. */
export const still = { reducedMotion: 'reduce' } as const

/** Opens an address in a browser of its own. */
export async function visit(
  browser: Browser,
  url: string,
  { locale, viewport = { width: 1280, height: 720 }, own = false, cookies = [] }: VisitOptions = {},
): Promise<Visit> {
  const made = { ...still, ...(locale === undefined ? {} : { locale }) }
  const page = own
    ? await (await browser.newContext(made)).newPage()
    : await takePage(browser, made)
  const context = page.context()
  await page.setViewportSize(viewport)
  const complaints: string[] = []
  context.on('console', (message) => {
    // A refused input is an answer with an error status, which browsers log.
    if (message.type() === 'error' && !/^Failed to load resource/.test(message.text())) {
      complaints.push(message.text())
    }
  })
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.setDefaultTimeout(10_000)
  await page.emulateMedia({ colorScheme: null, ...still })
  if (cookies.length > 0)
    await context.addCookies(
      cookies.map(({ name, value }) => ({ name, value, url: new URL(url).origin })),
    )
  await page.goto(url)
  return {
    page,
    complaints,
    close: () => (own ? context.close() : keepPage(browser, page, made)),
  }
}

/** What the tests of a suite share. */
export interface PagesSuite {
  /** Starts a server for the running test. */
  serve(options?: ServerOptions): Promise<SignInServer>
  /** Opens a page in a browser of its own, of which nothing may be wrong at the end of the test. */
  open(url: string, options?: VisitOptions): Promise<Page>
  /** Has something ended after the running test. */
  endLater(end: () => Promise<void>): void
}

/** Gives a suite a browser, and its tests servers and pages. */
export function usePages(): PagesSuite {
  const browser = useBrowser()
  const visits: Visit[] = []
  const ends: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const { complaints, close } of visits.splice(0)) {
      expect(complaints).toEqual([])
      await close()
    }
    for (const end of ends.splice(0)) await end()
  })
  return {
    async serve(options) {
      const server = await startServer(options)
      ends.push(server.stop)
      return server
    },
    async open(url, options) {
      const opened = await visit(browser(), url, options)
      visits.push(opened)
      return opened.page
    },
    endLater: (end) => void ends.push(end),
  }
}

/** Waits for a step by its heading. */
export async function arriveAt(page: Page, title: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

export const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) }).click()

/**
 * Expects no finding of axe, in both colour schemes, and no sideways scrolling. `part` selects what is new on a page whose rest was
 * checked before: usually only that is checked, in light colours; in the wide lane all of the page.
 */
export async function expectAccessible(
  page: Page,
  what: string,
  { part }: { readonly part?: string } = {},
): Promise<void> {
  const found = await findingsOfAxe(page, isWide || part === undefined ? {} : { part })
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect({ what, found, overflow }).toEqual({ what, found: [], overflow: 0 })
}
