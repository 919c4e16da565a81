import { deleteUser, disableUser, type FlowResult, type Storage } from '@gatehouse/core'
import { enableUser } from '@gatehouse/core/auth'
import { describe, expect, it } from 'vitest'
import { authenticatorCollection } from '../src/auth/accounts/authenticator-record.ts'
import { deviceTokenCollection } from '../src/auth/accounts/device-token-record.ts'
import { sessionCollection } from '../src/auth/accounts/session-record.ts'
import { verifiedClaimCollection } from '../src/auth/accounts/verified-claim-record.ts'
import { comeBy, oauthHouse } from '../src/auth/kinds/oauth/oauth-house.fixture.ts'
import {
  atChoice,
  email,
  linkingHouse,
  mayaThere,
  password,
} from '../src/auth/linking/linking-house.fixture.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  stateOf,
  type TestAuth,
  testAuth,
} from '../src/auth/service.fixture.ts'
import {
  openBrowser,
  type TestBrowser,
  waitingEventTypes,
} from '../src/auth/sessions/browser.fixture.ts'
import { dataOf, passkeyAuth } from '../src/auth/webauthn/passkeys.fixture.ts'
import { all, makePerson, totpNow, totpSecret } from './auth-people.ts'

describe('a fact proved in several ways is stored once', () => {
  const provenIn = async ({ storage }: TestAuth) =>
    (await verifiedClaimCollection.find(storage, all)).map(({ value }) => value)

  const proofsToldOf = async (world: TestAuth): Promise<number> =>
    (await waitingEventTypes(world)).filter((type) => type === 'identity.email.verified').length

  it('an address verified by a provider, and by a code in the login that links the two', async () => {
    const world = await linkingHouse({
      authentication: { primary_authenticators: ['oob_otp_email'] },
    })
    const flow = await atChoice(world)
    await flow.input({ index: 0 })
    await flow.input({ authentication: 'primary_oob_otp_email', index: 0 })
    const finished = stateOf(await flow.input({ code: world.codeTo(email) }))
    expect(finished.action.type).toBe('finished')
    expect(await provenIn(world)).toMatchObject([{ value: email, channel: 'email' }])
    expect(await proofsToldOf(world)).toBe(1)
  })

  it('a verified address that two providers confirm as well', async () => {
    const identify = (name: string, identification: string) => {
      return { name, type: 'identify', one_of: [{ identification }] }
    }
    const steps = [
      identify('first', 'email'),
      { type: 'verify', target_step: 'first' },
      identify('second', 'oauth'),
      identify('third', 'oauth'),
    ]
    const world = oauthHouse({ authentication_flow: { signup_flows: [{ name: 'all', steps }] } })
    const flow = await startFlow(world, 'signup', {}, 'all')
    await flow.input({ identification: 'email', login_id: email })
    await flow.input({ code: world.codeTo(email) })
    await comeBy(world, flow, mayaThere)
    const sure = { ...mayaThere, email_verified: true }
    expect(stateOf(await comeBy(world, flow, sure, 'cloud')).action.type).toBe('finished')
    expect(await provenIn(world)).toMatchObject([{ value: email, channel: 'email' }])
    expect(await proofsToldOf(world)).toBe(1)
  })
})

describe('a user who may no longer sign in when a flow ends', () => {
  it('gets no session, and the authorization is not finished', async () => {
    const finished: string[] = []
    const authorizationBridge = {
      resolve: async (id: string) => ({ id, redirect_uri: 'https://app.example.com/cb' }),
      finish: async (_session: unknown, { user_id }: { readonly user_id: string }) => {
        finished.push(user_id)
        return 'https://app.example.com/cb?code=1'
      },
    }
    const world = passkeyAuth({}, { authorizationBridge })
    const id = await makePerson(world, { email })
    const flow = await startFlow(world, 'login', { query: 'x_ref=1' })
    await flow.input({ identification: 'email', login_id: email })
    await flow.input({ authentication: 'primary_password', password })
    expect(dataOf(flow.last, 'type')).toBe('create_passkey_data')
    await disableUser(world.auth, id)
    const refused = errorOf(await flow.input({ skip: true }))
    expect(refused).toMatchObject({ reason: 'DisabledUser', code: 403 })
    expect(finished).toEqual([])
    expect(await sessionCollection.find(world.storage, all)).toEqual([])
    expect(await waitingEventTypes(world)).not.toContain('user.authenticated')
    await enableUser(world.auth, id)
    stateOf(await flow.input({ skip: true }))
    expect(finished).toEqual([id])
  })
})

describe('a code as second factor', () => {
  it('is sent to the selected one of several addresses', async () => {
    const world = testAuth({ authentication: { secondary_authenticators: ['oob_otp_email'] } })
    const [first, second] = ['first@harborlight.example', 'second@harborlight.example']
    const user_id = await makePerson(world, { email, mfa: { email: first } })
    const times = { created_at: world.clock.now(), updated_at: world.clock.now() }
    const added = { type: 'oob_otp_email', kind: 'secondary', target: second, user_id } as const
    await world.storage.commit([authenticatorCollection.write('added', { ...added, ...times })])
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: email })
    await flow.input({ authentication: 'primary_password', password })
    const authentication = 'secondary_oob_otp_email'
    const other = await flow.input({ authentication, target: 'third@harborlight.example' })
    expect(errorOf(other).reason).toBe('ValidationFailed')
    stateOf(await flow.input({ authentication, target: second }))
    expect(world.outbox.messages.map(({ target }) => target)).toEqual([second])
  })
})

describe('a trusted device', () => {
  const delta: ConfigDelta = { authentication: { secondary_authentication_mode: 'required' } }
  const mfa = { totp: { secret: totpSecret } }
  const firstFactor = { authentication: 'primary_password', password }

  const begin = (browser: TestBrowser, login_id: string): Promise<FlowResult> => {
    const inputs = [{ identification: 'email', login_id }, firstFactor]
    return browser.begin('login', { batch_input: inputs })
  }

  async function trust(world: TestAuth, browser: TestBrowser): Promise<FlowResult> {
    stateOf(await begin(browser, email))
    const shown = { authentication: 'secondary_totp', code: totpNow(world) }
    return browser.input({ ...shown, request_device_token: true })
  }

  it('does not spare other users their second factor', async () => {
    const world = testAuth(delta)
    await makePerson(world, { email, mfa })
    await makePerson(world, { email: 'lena@harborlight.example', mfa })
    const browser = openBrowser(world)
    stateOf(await trust(world, browser))
    const other = stateOf(await begin(browser, 'lena@harborlight.example'))
    expect(other.action.type).toBe('authenticate')
    expect(stateOf(await begin(browser, email)).action.type).toBe('finished')
  })

  it('belongs to nobody if its user is deleted at the same moment', async () => {
    const other = testAuth(delta)
    const { storage, clock } = other
    const removals: string[] = []
    const interrupted: Storage = {
      get: (...given) => storage.get(...given),
      find: (...given) => storage.find(...given),
      changes: (...given) => storage.changes(...given),
      close: () => storage.close(),
      async commit(writes) {
        const isTrust = writes.some(({ collection }) => collection === deviceTokenCollection)
        const removed = isTrust ? removals.pop() : undefined
        if (removed !== undefined) await deleteUser(other.auth, removed)
        return storage.commit(writes)
      },
    }
    const world = { ...testAuth(delta, { storage: interrupted, clock }), clock }
    removals.push(await makePerson(world, { email, mfa }))
    expect(errorOf(await trust(world, openBrowser(world))).reason).toBe('UserNotFound')
    expect(await deviceTokenCollection.find(storage, all)).toEqual([])
  })
})
