import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  addAuthenticator,
  describeWithBrowser,
  useBrowser,
} from '../../../../../test-support/browser.ts'
import type { Json } from '../../storage/storage.ts'
import { createPasskeys } from './create-passkeys.ts'
import type { PasskeyParty, StoredPasskey } from './passkeys.ts'

type JsonObject = { readonly [name: string]: Json }

const passkeys = createPasskeys()
const user = { id: 'user-1', name: 'maya@example.com', display_name: 'Maya' }
const challenge = Buffer.alloc(32, 7).toString('base64url')
const otherChallenge = Buffer.alloc(32, 8).toString('base64url')

/** Serves an empty page at a localhost origin, which browsers trust like HTTPS. */
async function servePage(): Promise<{ server: Server; origin: string }> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>Sign in</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { server, origin: `http://localhost:${port}` }
}

/** A page with a virtual authenticator that needs no touch. */
async function openPage(browser: Browser, origin: string): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  await addAuthenticator(page)
  await page.goto(origin)
  return page
}

/** Runs the ceremony in the browser, with its own functions for JSON. */
function askBrowser(
  page: Page,
  method: 'create' | 'get',
  options: JsonObject,
): Promise<JsonObject> {
  const parse = method === 'create' ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON'
  return page.evaluate(`(async () => {
    const publicKey = PublicKeyCredential.${parse}(${JSON.stringify(options)})
    const credential = await navigator.credentials.${method}({ publicKey })
    return credential.toJSON()
  })()`)
}

describeWithBrowser('passkeys of Chromium', () => {
  const browser = useBrowser()
  let server: Server
  let party: PasskeyParty
  let page: Page

  beforeAll(async () => {
    const served = await servePage()
    server = served.server
    party = { rp_id: 'localhost', rp_name: 'Example', origins: [served.origin] }
    page = await openPage(browser(), served.origin)
  })
  afterAll(async () => {
    await new Promise((resolve) => (server === undefined ? resolve(0) : server.close(resolve)))
  })

  const make = (exclude: readonly StoredPasskey[] = []): Promise<JsonObject> =>
    askBrowser(page, 'create', passkeys.creationOptions(party, { challenge, user, exclude }))

  const use = (allow?: readonly StoredPasskey[]): Promise<JsonObject> =>
    askBrowser(page, 'get', passkeys.requestOptions(party, { challenge, ...(allow && { allow }) }))

  /** Registers a new passkey. */
  async function register(): Promise<StoredPasskey> {
    const made = await passkeys.verifyCreation(party, { challenge, response: await make() })
    if (made === undefined) throw new Error('the passkey was refused')
    return made.passkey
  }

  it('are created as requested', async () => {
    const response = await make()
    expect(response).toMatchObject({ clientExtensionResults: { credProps: { rk: true } } })
    expect(await passkeys.verifyCreation(party, { challenge, response })).toEqual({
      passkey: {
        credential_id: response.id,
        public_key: expect.stringMatching(/^[\w-]+$/),
        sign_count: 1,
        transports: ['internal'],
        aaguid: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
        is_backed_up: false,
      },
      is_user_verified: true,
    })
  })

  it('work with and without a user name', async () => {
    const passkey = await register()
    const named = await use([passkey])
    const first = await passkeys.verifyAssertion(party, { challenge, response: named, passkey })
    expect(first).toEqual({ sign_count: 2, is_user_verified: true })

    const chosen = await use()
    expect(chosen).toMatchObject({
      id: passkey.credential_id,
      response: { userHandle: Buffer.from(user.id).toString('base64url') },
    })
    const counted = { ...passkey, sign_count: first?.sign_count ?? 0 }
    const given = { challenge, response: chosen, passkey: counted }
    expect(await passkeys.verifyAssertion(party, given)).toEqual({
      sign_count: 3,
      is_user_verified: true,
    })
  })

  it('are not created again if the first is excluded', async () => {
    const passkey = await register()
    await expect(make([passkey])).rejects.toThrow('InvalidStateError')
  })

  it('are not created for a relying party other than the page', async () => {
    const elsewhere = { ...party, rp_id: 'example.com' }
    const options = passkeys.creationOptions(elsewhere, { challenge, user, exclude: [] })
    await expect(askBrowser(page, 'create', options)).rejects.toThrow('SecurityError')
  })

  it('are refused from a page of another origin', async () => {
    const passkey = await register()
    const response = await use([passkey])
    const elsewhere = { ...party, origins: ['http://localhost', 'https://example.com'] }
    const given = { challenge, response, passkey }
    expect(await passkeys.verifyAssertion(elsewhere, given)).toBeUndefined()
    const creation = { challenge, response: await make() }
    expect(await passkeys.verifyCreation(elsewhere, creation)).toBeUndefined()
  })

  it('are refused for another relying party', async () => {
    const passkey = await register()
    const other = { ...party, rp_id: 'example.com' }
    const given = { challenge, response: await use([passkey]), passkey }
    expect(await passkeys.verifyAssertion(other, given)).toBeUndefined()
    const creation = { challenge, response: await make() }
    expect(await passkeys.verifyCreation(other, creation)).toBeUndefined()
  })

  it('are refused for another challenge', async () => {
    const passkey = await register()
    const given = { challenge: otherChallenge, response: await use([passkey]), passkey }
    expect(await passkeys.verifyAssertion(party, given)).toBeUndefined()
    const creation = { challenge: otherChallenge, response: await make() }
    expect(await passkeys.verifyCreation(party, creation)).toBeUndefined()
  })

  it('are refused if a response comes twice', async () => {
    const passkey = await register()
    const given = { challenge, response: await use([passkey]) }
    const first = await passkeys.verifyAssertion(party, { ...given, passkey })
    expect(first).toMatchObject({ sign_count: 2 })
    const counted = { ...passkey, sign_count: first?.sign_count ?? 0 }
    expect(await passkeys.verifyAssertion(party, { ...given, passkey: counted })).toBeUndefined()
  })

  it('are refused with another signature', async () => {
    const passkey = await register()
    const [given, other] = [await use([passkey]), await use([passkey])]
    const response = {
      ...given,
      response: { ...Object(given.response), signature: Object(other.response).signature },
    }
    expect(await passkeys.verifyAssertion(party, { challenge, response, passkey })).toBeUndefined()
    const own = { challenge, response: given, passkey }
    expect(await passkeys.verifyAssertion(party, own)).toMatchObject({ sign_count: 2 })
  })
})
