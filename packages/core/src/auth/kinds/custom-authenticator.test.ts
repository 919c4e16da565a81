import { describe, expect, it } from 'vitest'
import { authenticatorCollection } from '../accounts/authenticator-record.ts'
import { createUser } from '../people/create-user.ts'
import { deleteUser } from '../people/delete-user.ts'
import { getUser } from '../people/get-user.ts'
import { type ConfigDelta, errorOf, stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import { openBrowser, type TestBrowser, waitingEventTypes } from '../sessions/browser.fixture.ts'
import { resolveSessionToken } from '../sessions/resolve-session.ts'
import { createKeypadAuthenticator } from './keypad.fixture.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const keypad = 'secondary_keypad'

const identify = { type: 'identify', one_of: [{ identification: 'email' }] }
const showPassword = { type: 'authenticate', one_of: [{ authentication: 'primary_password' }] }

const document: ConfigDelta = {
  authentication: {
    secondary_authentication_grace_period: { enabled: true, end_at: '2026-03-04T11:00:00Z' },
  },
  authentication_flow: {
    signup_flows: [
      {
        name: 'default',
        steps: [
          identify,
          { type: 'create_authenticator', one_of: [{ authentication: 'primary_password' }] },
          { type: 'create_authenticator', one_of: [{ authentication: keypad }] },
        ],
      },
    ],
    login_flows: [
      {
        name: 'default',
        steps: [
          identify,
          showPassword,
          {
            type: 'authenticate',
            one_of: [{ authentication: keypad }, { authentication: 'device_token' }],
          },
        ],
      },
    ],
  },
}

interface House extends TestAuth {
  /** The stored PINs, by slot. */
  readonly kept: ReadonlyMap<string, string>
}

/** A service with a keypad and a vault for PINs. */
function house(): House {
  const kept = new Map<string, string>()
  const vault = {
    async store(pin: string) {
      const slot = `slot ${kept.size + 1}`
      kept.set(slot, pin)
      return slot
    },
    check: async (slot: string, pin: string) => kept.get(slot) === pin,
  }
  return { ...testAuth(document, { authenticators: [createKeypadAuthenticator(vault)] }), kept }
}

const named = { identification: 'email', login_id: email }
const first = { authentication: 'primary_password', password }
const chosen = { authentication: keypad }

/** Signs Maya up with a PIN. Returns her id. */
async function signUp(world: House, pin = '4711'): Promise<string> {
  const browser = openBrowser(world)
  await browser.begin('signup', { input: named })
  stateOf(await browser.input({ authentication: 'primary_password', new_password: password }))
  expect(browser.options).toEqual([{ authentication: keypad, digits: 4 }])
  stateOf(await browser.input({ ...chosen, new_pin: pin }))
  return (await sessionOf(world, browser)).user_id
}

/** A login of Maya that asks for the PIN. */
async function atPin(
  world: House,
  browser: TestBrowser = openBrowser(world),
): Promise<TestBrowser> {
  stateOf(await browser.begin('login', { batch_input: [named, first] }))
  stateOf(await browser.input(chosen))
  return browser
}

async function sessionOf({ auth }: TestAuth, { token }: TestBrowser) {
  const session = await resolveSessionToken(auth, token)
  if (session === undefined) throw new Error('there is no session')
  return session
}

const amr = ['mfa', 'pin', 'pwd', 'x_primary_password', `x_${keypad}`]

describe('a custom authenticator', () => {
  it('is set up at the sign-up, and stored as its kind returns it', async () => {
    const world = house()
    const id = await signUp(world)
    const found = await authenticatorCollection.find(world.storage, { by: 'id', limit: 9 })
    expect(found.map(({ value }) => value)).toContainEqual({
      type: 'custom',
      kind: 'secondary',
      authentication: keypad,
      user_id: id,
      data: { slot: 'slot 1' },
      created_at: world.clock.now(),
      updated_at: world.clock.now(),
    })
    // An id may contain these digits by chance.
    expect(JSON.stringify(found)).not.toMatch(/(?<![\da-f-])4711(?![\da-f-])/)
    const { authenticators } = await getUser(world.auth, id)
    expect(authenticators.map(({ type }) => type).sort()).toEqual(['custom', 'password'])
    expect(JSON.stringify(authenticators)).not.toContain('slot')
  })

  it('counts as a second factor, both when set up and when used', async () => {
    const world = house()
    const browser = openBrowser(world)
    await browser.begin('signup', { input: named })
    await browser.input({ authentication: 'primary_password', new_password: password })
    await browser.input({ ...chosen, new_pin: '4711' })
    expect(await sessionOf(world, browser)).toMatchObject({ amr, aal: 2 })
    const later = await atPin(world)
    expect((await later.read()).action).toEqual({
      type: 'authenticate',
      authentication: keypad,
      data: { type: 'keypad_data', digits: 4 },
    })
    stateOf(await later.input({ pin: '4711' }))
    expect(await sessionOf(world, later)).toMatchObject({ amr, aal: 2 })
  })

  it('is refused at the sign-up with the error of its kind, and nothing is stored', async () => {
    const world = house()
    const browser = openBrowser(world)
    await browser.begin('signup', { input: named })
    await browser.input({ authentication: 'primary_password', new_password: password })
    expect(errorOf(await browser.input({ ...chosen, new_pin: '47' })).info).toMatchObject({
      FlowType: 'signup',
      causes: [{ location: '/new_pin', kind: 'format', details: { format: 'pin' } }],
    })
    expect(errorOf(await browser.input(chosen)).info).toMatchObject({
      causes: [{ kind: 'required', details: { missing: ['new_pin'] } }],
    })
    expect(world.kept.size).toBe(0)
  })

  it('spends the limits of other secrets if it is wrong', async () => {
    const world = house()
    await signUp(world)
    const browser = await atPin(world)
    for (let attempt = 0; attempt < 10; attempt++) {
      expect(errorOf(await browser.input({ pin: '0000' }))).toMatchObject({
        reason: 'InvalidCredentials',
        info: { AuthenticationType: 'keypad', FlowType: 'login' },
      })
    }
    expect(errorOf(await browser.input({ pin: '4711' })).reason).toBe('RateLimited')
    expect(await waitingEventTypes(world)).toContain('authentication.secondary.keypad.failed')
  })

  it('is set up at a login during a grace period, and refused after it', async () => {
    const world = house()
    const id = await createUser(world.auth, { email, password })
    const browser = openBrowser(world)
    const state = stateOf(await browser.begin('login', { batch_input: [named, first] }))
    expect(state.action.data).toEqual({
      type: 'create_authenticator_data',
      options: [{ authentication: keypad, digits: 4 }],
    })
    stateOf(await browser.input({ ...chosen, new_pin: '0815' }))
    expect((await sessionOf(world, browser)).user_id).toBe(id)
    await deleteUser(world.auth, id)
    await createUser(world.auth, { email, password })
    world.clock.advance(3_600_000)
    const late = await openBrowser(world).begin('login', { batch_input: [named, first] })
    expect(errorOf(late)).toMatchObject({
      reason: 'InvariantViolated',
      info: { cause: { kind: 'NoAuthenticator' } },
    })
  })

  it('is skipped for a trusted browser', async () => {
    const world = house()
    await signUp(world)
    const browser = openBrowser(world)
    stateOf(await browser.begin('login', { batch_input: [named, first] }))
    stateOf(await browser.input({ ...chosen, request_device_token: true }))
    stateOf(await browser.input({ pin: '4711' }))
    const again = await browser.begin('login', { batch_input: [named, first] })
    expect(stateOf(again).action.type).toBe('finished')
  })

  it('lets nobody in after its removal, even in a flow that has just used it', async () => {
    const world = house()
    await signUp(world)
    const browser = await atPin(world)
    const found = await authenticatorCollection.find(world.storage, { by: 'id', limit: 9 })
    const pin = found.find(({ value }) => value.type === 'custom')
    await world.storage.commit([authenticatorCollection.remove(pin?.id ?? '')])
    expect(errorOf(await browser.input({ pin: '4711' })).reason).toBe('InvalidCredentials')
  })

  it('is deleted with its user', async () => {
    const world = house()
    await deleteUser(world.auth, await signUp(world))
    expect(await authenticatorCollection.find(world.storage, { by: 'id', limit: 9 })).toEqual([])
  })
})
