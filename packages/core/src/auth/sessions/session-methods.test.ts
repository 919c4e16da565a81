import { describe, expect, it } from 'vitest'
import type { Session } from '../flow/session/session.ts'
import type { FlowInput } from '../flow/view.ts'
import type { FlowResult } from '../flows/flow-result.ts'
import { createFakeOAuthClient, type FakeOAuthClient } from '../kinds/oauth/oauth.fixture.ts'
import { callback, google } from '../kinds/oauth/oauth-house.fixture.ts'
import { createAnonymousUser } from '../people/create-anonymous-user.ts'
import { createUser } from '../people/create-user.ts'
import { deleteUser } from '../people/delete-user.ts'
import { disableUser, updateUser } from '../people/update-user.ts'
import { stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import { createPasskeys } from '../webauthn/create-passkeys.ts'
import { newDevice } from '../webauthn/passkeys.fixture.ts'
import { openBrowser, type TestBrowser } from './browser.fixture.ts'
import { createSession } from './create-session.ts'
import { resolveSessionToken } from './resolve-session.ts'
import { logout, revokeAllSessions, revokeSession } from './revoke-session.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const named = { identification: 'email', login_id: email }
const day = 86_400_000

interface House extends TestAuth {
  readonly oauth: FakeOAuthClient
}

/** A service with every way to sign in. */
function house(): House {
  const oauth = createFakeOAuthClient()
  const world = testAuth(
    {
      authentication: {
        identities: ['oauth', 'login_id', 'passkey', 'anonymous'],
        primary_authenticators: ['password', 'passkey', 'oob_otp_email'],
      },
      verification: { claims: { email: { required: false } } },
      identity: { oauth: { providers: [google] } },
    },
    { oauth, passkeys: createPasskeys() },
  )
  return { ...world, oauth }
}

const optionsOf = ({ options }: TestBrowser) => options as readonly FlowInput[]

/** Skips the passkey if the flow offers one at its end. */
async function end(browser: TestBrowser, result: FlowResult): Promise<void> {
  const isAsked = stateOf(result).action.type === 'prompt_create_passkey'
  const done = isAsked ? await browser.input({ skip: true }) : result
  expect(stateOf(done).action.type).toBe('finished')
}

async function comeByGoogle({ oauth }: House, browser: TestBrowser): Promise<void> {
  const choice = { identification: 'oauth', alias: 'google', redirect_uri: callback }
  const away = stateOf(await browser.input(choice))
  const url = String(away.action.data.oauth_authorization_url)
  await end(
    browser,
    await browser.input({ query: oauth.signIn(url, { subject: 'maya-1', email }) }),
  )
}

/** Ways to get a session, each in its own browser. */
const ways: Readonly<Record<string, (world: House, browser: TestBrowser) => Promise<void>>> = {
  async 'a password'({ auth }, browser) {
    await createUser(auth, { email, password })
    const shown = { authentication: 'primary_password', password }
    await end(browser, await browser.begin('login', { batch_input: [named, shown] }))
  },
  async 'a code by mail'({ auth, codeTo }, browser) {
    await createUser(auth, { email })
    await browser.begin('login', { input: named })
    const index = optionsOf(browser).findIndex(
      ({ authentication }) => authentication === 'primary_oob_otp_email',
    )
    await browser.input({ authentication: 'primary_oob_otp_email', index })
    await end(browser, await browser.input({ code: codeTo(email) }))
  },
  async 'an account of a provider'(world, browser) {
    await browser.begin('signup')
    await comeByGoogle(world, browser)
  },
  async 'a passkey'(_world, browser) {
    const device = newDevice()
    const created = { authentication: 'primary_password', new_password: password }
    const asked = stateOf(await browser.begin('signup', { batch_input: [named, created] }))
    const { creation_options: options = null } = asked.action.data
    stateOf(await browser.input({ creation_response: device.create(options) }))
    browser.forget()
    await browser.begin('login')
    const option = optionsOf(browser).find(({ identification }) => identification === 'passkey')
    const assertion = device.get(option?.request_options ?? null)
    await end(
      browser,
      await browser.input({ identification: 'passkey', assertion_response: assertion }),
    )
  },
  async 'an anonymous user'({ auth }, browser) {
    browser.keep((await createAnonymousUser(auth)).cookies)
  },
  async 'a promotion'(world, browser) {
    browser.keep((await createAnonymousUser(world.auth)).cookies)
    await browser.begin('promote')
    await comeByGoogle(world, browser)
  },
  async 'an earlier session'({ auth }, browser) {
    const userId = await createUser(auth, { email })
    browser.keep((await createSession(auth, userId)).cookies)
    const select = { identification: 'select_account', index: 0 }
    await end(browser, await browser.begin('login', { input: select }))
  },
}

/** Ways to end a session. */
const ends: Readonly<
  Record<string, (world: House, session: Session, browser: TestBrowser) => unknown>
> = {
  'being revoked': ({ auth }, { id }) => revokeSession(auth, id),
  'revoking it with all others': ({ auth }, { user_id }) => revokeAllSessions(auth, user_id),
  'a logout': ({ auth }, _session, { request }) =>
    logout(auth, { headers: new Headers({ cookie: request.cookie ?? '' }) }),
  'disabling its user': ({ auth }, { user_id }) => disableUser(auth, user_id),
  'deleting its user': ({ auth }, { user_id }) => deleteUser(auth, user_id),
  'the end of the account validity': ({ auth, clock }, { user_id }) =>
    updateUser(auth, user_id, { account_valid_until: clock.now() }),
  '30 days without use': ({ clock }) => clock.advance(30 * day),
  async 'another login in its browser'({ auth }, _session, browser) {
    await createUser(auth, { email: 'lena@harborlight.example', password })
    const shown = { authentication: 'primary_password', password }
    const other = { ...named, login_id: 'lena@harborlight.example' }
    await end(browser, await browser.begin('login', { batch_input: [other, shown] }))
  },
}

describe.each(Object.entries(ways))('a session from %s', (_way, enter) => {
  it.each(Object.entries(ends))('is ended by %s', async (_end, leave) => {
    const world = house()
    const browser = openBrowser(world)
    await enter(world, browser)
    const { token } = browser
    const session = await resolveSessionToken(world.auth, token)
    if (session === undefined) throw new Error('there is no session')
    await leave(world, session, browser)
    expect(await resolveSessionToken(world.auth, token)).toBeUndefined()
  })
})
