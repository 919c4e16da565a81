import { type AuthContext, type Clock, createAuth } from '@gatehouse/core'
import { createScryptHasher } from '@gatehouse/core/auth'
import {
  createManualClock,
  createMessageOutbox,
  type ManualClock,
  type MessageOutbox,
} from '@gatehouse/core/testing'
import { createMemoryStorage } from '@gatehouse/store-memory'
import type { Hono } from 'hono'
import { TOTP } from 'otpauth'
import { createApp } from './app.ts'
import { createFormBrowser, type FormBrowser, type ShownPage } from './form-browser.fixture.ts'
import { email, password } from './maya.fixture.ts'
import type { SignInOptions } from './sign-in-routes.ts'

export const origin = 'https://accounts.example.com'

/** The authenticator app for the key on the page. */
export function appOn(page: ShownPage, clock: Clock): { code(): string } {
  const [, key = ''] = /<code>([A-Z2-7 ]+)<\/code>/.exec(page.html) ?? []
  const totp = new TOTP({ secret: key.replaceAll(' ', '') })
  return { code: () => totp.generate({ timestamp: clock.now() }) }
}

/** The pages on a memory store with a manual clock. */
export interface World {
  readonly app: Hono
  readonly auth: AuthContext
  readonly clock: ManualClock
  readonly mails: MessageOutbox
  /** A new browser. */
  browse(): FormBrowser
  /** Signs Maya up with a password, in a browser of her own. */
  signUp(browser?: FormBrowser): Promise<FormBrowser>
}

/** A part of an `authgear.yaml`, as values. */
export type Config = Readonly<Record<string, unknown>>

export function createWorld(
  config: Config = {},
  options: Pick<SignInOptions, 'profileFields'> = {},
): World {
  const clock = createManualClock()
  const mails = createMessageOutbox()
  const auth = createAuth({
    storage: createMemoryStorage({ clock }),
    clock,
    config: {
      id: 'test',
      http: { public_origin: origin },
      links: { reset_password: `${origin}/reset?code={code}` },
      ...config,
    },
    secrets: [{ id: 'test', key: 'a key for tests, of 32 bytes or more' }],
    senders: mails.senders,
    hasher: createScryptHasher({ N: 1_024 }), // cheap, for tests
  })
  const app = createApp(auth, options)
  // The connection as `@hono/node-server` describes it.
  const environment = { incoming: { socket: { remoteAddress: '192.0.2.7' } } }
  const browse = (): FormBrowser =>
    createFormBrowser((request) => app.fetch(request, environment), origin)

  return {
    app,
    auth,
    clock,
    mails,
    browse,
    async signUp(browser = browse()) {
      await browser.open('/signup')
      await browser.send({ login_id: email })
      await browser.send({ code: mails.codeTo(email) })
      await browser.send({ new_password: password })
      return browser
    },
  }
}
