import { fileURLToPath } from 'node:url'
import {
  type AuthContext,
  createAuth,
  type Json,
  type Route,
  resolveSession,
  type Session,
} from '@gatehouse/core'
import { textAnswer } from '@gatehouse/core/adapter'
import { closeAuth, createScryptHasher } from '@gatehouse/core/auth'
import { createPasskeys } from '@gatehouse/core/passkeys'
import { createMemoryStorage } from '@gatehouse/store-memory'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addAuthenticator, describeWithBrowser, useBrowser } from '../../../test-support/browser.ts'
import { type SwitchingServer, startServer } from './servers.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'

/** `@simplewebauthn/browser` bundled as one file. */
const library = fileURLToPath(
  new URL('../dist/bundle/index.umd.min.js', import.meta.resolve('@simplewebauthn/browser')),
)

/** An empty page. The tests do the work of a sign-in page. */
const emptyPage: Route = {
  method: 'GET',
  path: '/',
  answer: async () =>
    textAnswer(200, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' }),
}

const createService = (origin: string): AuthContext =>
  createAuth({
    storage: createMemoryStorage(),
    config: {
      id: 'Harborlight',
      http: { public_origin: origin, allow_insecure: true },
      authentication: {
        identities: ['login_id', 'passkey'],
        primary_authenticators: ['password', 'passkey'],
      },
      verification: { claims: { email: { required: false } } },
    },
    secrets: [{ id: 'k1', key: 'a key for tests, of 32 bytes or more' }],
    passkeys: createPasskeys(),
    hasher: createScryptHasher({ N: 16, r: 1, p: 1 }),
  })

/** Opens a page in a browser with a virtual authenticator that needs no user interaction. */
async function openPage(browser: Browser, origin: string): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  await addAuthenticator(page)
  await page.goto(origin)
  await page.addScriptTag({ path: library })
  return page
}

interface FlowState {
  readonly state_token: string
  readonly action: { readonly type: string; readonly data: { readonly [name: string]: Json } }
}

/** Sends a request from the page and returns the resulting state. */
function post(page: Page, path: string, body: Json): Promise<FlowState> {
  return page.evaluate(`(async () => {
    const response = await fetch('/api/v1/authentication_flows${path}', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ${JSON.stringify(JSON.stringify(body))},
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(JSON.stringify(answer.error))
    return answer.result
  })()`)
}

type LibraryFunction = 'startRegistration' | 'startAuthentication'

/** Calls the browser library that most pages use. */
function askBrowser(page: Page, method: LibraryFunction, optionsJSON: Json): Promise<Json> {
  return page.evaluate(`SimpleWebAuthnBrowser.${method}(${JSON.stringify({ optionsJSON })})`)
}

/** The passkey options of a state. */
function requestOptionsOf({ action }: FlowState): Json {
  const options = Object(action.data.options) as readonly { readonly request_options?: Json }[]
  const found = options.find(({ request_options: asked }) => asked !== undefined)
  return found?.request_options ?? null
}

describeWithBrowser('flows with passkeys in Chromium', () => {
  const browser = useBrowser()
  let server: SwitchingServer
  let auth: AuthContext
  let page: Page

  beforeAll(async () => {
    server = await startServer('hono')
    const origin = `http://localhost:${server.port}`
    auth = createService(origin)
    server.serve([emptyPage, ...auth.routes])
    page = await openPage(browser(), origin)
  })
  afterAll(async () => {
    if (auth !== undefined) await closeAuth(auth)
    await server?.close()
  })

  /** The session of the browser. */
  async function session(): Promise<Session | undefined> {
    const cookies = await page.context().cookies()
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    return resolveSession(auth, { headers: new Headers({ cookie }) })
  }

  const start = (type: string, input: object = {}): Promise<FlowState> =>
    post(page, '', { type, name: 'default', ...input })
  const send = ({ state_token }: FlowState, input: Json): Promise<FlowState> =>
    post(page, '/states/input', { state_token, input })

  it('sign up with a passkey, and in with it, with and without the address', async () => {
    const signUp = await start('signup', {
      batch_input: [
        { identification: 'email', login_id: email },
        { authentication: 'primary_password', new_password: password },
      ],
    })
    expect(signUp.action.type).toBe('prompt_create_passkey')
    const { creation_options: options = null } = signUp.action.data
    const made = await askBrowser(page, 'startRegistration', options)
    expect((await send(signUp, { creation_response: made })).action.type).toBe('finished')
    const userId = (await session())?.user_id
    expect(userId).toMatch(/^[\da-f-]{36}$/)

    await page.context().clearCookies()
    const login = await start('login')
    const used = await askBrowser(page, 'startAuthentication', requestOptionsOf(login))
    expect(used).toMatchObject({ response: { userHandle: expect.any(String) } })
    const input = { identification: 'passkey', assertion_response: used }
    expect((await send(login, input)).action.type).toBe('finished')
    expect(await session()).toMatchObject({
      user_id: userId,
      amr: ['x_passkey', 'x_primary_passkey'],
      aal: 2,
    })
    await expect(start('login', { input })).rejects.toThrow('WebAuthnSessionNotFound')

    await page.context().clearCookies()
    const named = await start('login', { input: { identification: 'email', login_id: email } })
    const shown = await askBrowser(page, 'startAuthentication', requestOptionsOf(named))
    const last = { authentication: 'primary_passkey', assertion_response: shown }
    expect((await send(named, last)).action.type).toBe('finished')
    expect(await session()).toMatchObject({ user_id: userId, aal: 2 })
  })
})
