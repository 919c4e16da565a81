import { describe, expect, it } from 'vitest'
import type { Json } from '../../storage/storage.ts'
import type { FlowInput } from '../flow/view.ts'
import { totpCode } from '../kinds/totp/totp.ts'
import { importUsers } from '../people/import-users.ts'
import { decodeBase32 } from '../secrets/base32.ts'
import { type ConfigDelta, stateOf, type TestAuth } from '../service.fixture.ts'
import { newDevice, passkeyAuth, withPasskeys } from '../webauthn/passkeys.fixture.ts'
import type { SoftwareAuthenticator } from '../webauthn/software-authenticator.fixture.ts'
import { openBrowser, type TestBrowser, waitingEvents } from './browser.fixture.ts'
import { resolveSessionToken } from './resolve-session.ts'

const email = 'maya@harborlight.example'
const phone = '+6591234567'
const otherEmail = 'maya@second.example'
const otherPhone = '+6597654321'
const password = 'tidal-lantern-42'
const secondPassword = 'copper-meadow-7'
const secret = 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN'

const branches = (...names: readonly string[]) =>
  names.map((authentication) => ({ authentication }))
const primary = branches('primary_password', 'primary_oob_otp_email', 'primary_oob_otp_sms')
const secondary = branches(
  'secondary_password',
  'secondary_totp',
  'secondary_oob_otp_email',
  'secondary_oob_otp_sms',
)

const who = {
  type: 'identify',
  name: 'who',
  one_of: [{ identification: 'email' }, { identification: 'phone' }],
}
const showFirst = { type: 'authenticate', one_of: primary }
const showSecond = {
  type: 'authenticate',
  optional: true,
  one_of: [...secondary, ...branches('recovery_code', 'device_token')],
}
const createFirst = {
  type: 'create_authenticator',
  one_of: primary.map((branch) => ({
    ...branch,
    ...(branch.authentication === 'primary_password' ? {} : { target_step: 'who' }),
    verification_required: false,
  })),
}
const createSecond = {
  type: 'create_authenticator',
  one_of: secondary.map((branch) => ({ ...branch, steps: [{ type: 'view_recovery_code' }] })),
}
const byPasskey = { type: 'identify', one_of: [{ identification: 'passkey' }] }

const document: ConfigDelta = {
  ...withPasskeys,
  identity: { login_id: { keys: [{ type: 'email' }, { type: 'phone' }] } },
  authentication_flow: {
    login_flows: [
      { name: 'first', steps: [who, showFirst] },
      { name: 'both', steps: [who, showFirst, showSecond] },
      { name: 'passkey', steps: [byPasskey] },
    ],
    signup_flows: [
      { name: 'first', steps: [who, createFirst] },
      { name: 'both', steps: [who, createFirst, createSecond] },
      { name: 'passkey', steps: [who, createFirst, { type: 'prompt_create_passkey' }] },
    ],
  },
}

/** An input, or a function that makes it from the data the client was shown. */
type Step = FlowInput | ((data: FlowInput, world: TestAuth) => FlowInput)

/** The latest code sent to an address. */
const codeTo =
  (address: string): Step =>
  (_data, world) => ({ code: world.codeTo(address) })

/** The TOTP code for this secret, or for the secret that the state shows. */
const codeOfApp =
  (more: FlowInput, known?: string): Step =>
  (data, { clock }) => {
    const key = decodeBase32(known ?? String(data.secret)) ?? new Uint8Array()
    return { ...more, code: totpCode(key, Math.floor(clock.now() / 30_000)) }
  }

const makePasskey =
  (device: SoftwareAuthenticator): Step =>
  (data) => ({ creation_response: device.create(data.creation_options ?? null) })

const usePasskey =
  (device: SoftwareAuthenticator): Step =>
  (data) => {
    const [option] = data.options as readonly { readonly request_options: Json }[]
    const assertion_response = device.get(option?.request_options ?? null)
    return { identification: 'passkey', assertion_response }
  }

const firstRecoveryCode = (data: FlowInput): string => (data.recovery_codes as string[])[0] ?? ''

/** A user with a browser. */
interface Person {
  readonly world: TestAuth
  readonly browser: TestBrowser
}

function newPerson(): Person {
  const world = passkeyAuth(document)
  return { world, browser: openBrowser(world) }
}

/** Maya, with everything that can be set up without a flow. */
async function maya(): Promise<Person> {
  const person = newPerson()
  const { auth } = person.world
  const hashed = async (text: string) =>
    ({ type: 'scrypt', password_hash: await auth.hasher.hash(text) }) as const
  const second = { email: otherEmail, phone_number: otherPhone, totp: { secret } }
  const [made] = await importUsers(auth, [
    {
      email,
      phone_number: phone,
      password: await hashed(password),
      mfa: { ...second, password: await hashed(secondPassword) },
    },
  ])
  expect(made?.outcome).toBe('inserted')
  return person
}

/** Goes through a flow to its end. Returns the `amr` of the session, and expects the same in the events. */
async function sessionAfter(
  { world, browser }: Person,
  [type, name]: readonly ['signup' | 'login', string],
  steps: readonly Step[],
): Promise<{ readonly amr: readonly string[]; readonly aal: number }> {
  let last = await browser.begin(type, { name })
  for (const step of steps) {
    // Past the cooldown of codes, and past the time step of the last TOTP code.
    world.clock.advance(61_000)
    const { data } = stateOf(last).action
    last = await browser.input(typeof step === 'function' ? step(data, world) : step)
  }
  expect(stateOf(last).action.type).toBe('finished')
  const session = await resolveSessionToken(world.auth, browser.token)
  if (session === undefined) throw new Error('there is no session')
  const { id, amr, aal } = session
  const events = await waitingEvents(world)
  const signedIn = events.findLast((event) => event.type === 'user.authenticated')
  expect(signedIn?.payload.session).toEqual({ id, amr })
  return { amr, aal }
}

const named = { identification: 'email', login_id: email }
const byPhone = { identification: 'phone', login_id: phone }
const byPassword = { authentication: 'primary_password', password }
const byMail = { authentication: 'primary_oob_otp_email', index: 1 }
const byMessage = { authentication: 'primary_oob_otp_sms', index: 2 }

describe('the amr of a session after a login', () => {
  it.each<[string, readonly Step[], readonly string[]]>([
    ['a password', [named, byPassword], ['pwd', 'x_primary_password']],
    ['a code by mail', [named, byMail, codeTo(email)], ['otp', 'x_primary_oob_otp_email']],
    [
      'a code by SMS',
      [named, { ...byMessage, channel: 'sms' }, codeTo(phone)],
      ['otp', 'sms', 'x_primary_oob_otp_sms'],
    ],
    [
      'a code by WhatsApp',
      [named, { ...byMessage, channel: 'whatsapp' }, codeTo(phone)],
      ['otp', 'sms', 'x_primary_oob_otp_sms'],
    ],
  ])('%s', async (_what, steps, amr) => {
    expect(await sessionAfter(await maya(), ['login', 'first'], steps)).toEqual({ amr, aal: 1 })
  })

  it.each<[string, readonly Step[], readonly string[]]>([
    [
      'a second password',
      [{ authentication: 'secondary_password', password: secondPassword }],
      ['mfa', 'pwd', 'x_primary_password', 'x_secondary_password'],
    ],
    [
      'an app',
      [codeOfApp({ authentication: 'secondary_totp' }, secret)],
      ['mfa', 'otp', 'pwd', 'x_primary_password', 'x_secondary_totp'],
    ],
    [
      'a code by mail',
      [{ authentication: 'secondary_oob_otp_email', target: otherEmail }, codeTo(otherEmail)],
      ['mfa', 'otp', 'pwd', 'x_primary_password', 'x_secondary_oob_otp_email'],
    ],
    [
      'a code by SMS',
      [
        { authentication: 'secondary_oob_otp_sms', target: otherPhone, channel: 'sms' },
        codeTo(otherPhone),
      ],
      ['mfa', 'otp', 'pwd', 'sms', 'x_primary_password', 'x_secondary_oob_otp_sms'],
    ],
  ])('a password and %s', async (_what, steps, amr) => {
    const all = [named, byPassword, ...steps]
    expect(await sessionAfter(await maya(), ['login', 'both'], all)).toEqual({ amr, aal: 2 })
  })

  it('two codes by mail, which are two authenticators', async () => {
    const target = { authentication: 'secondary_oob_otp_email', target: otherEmail }
    const steps = [named, byMail, codeTo(email), target, codeTo(otherEmail)]
    const amr = ['mfa', 'otp', 'x_primary_oob_otp_email', 'x_secondary_oob_otp_email']
    expect(await sessionAfter(await maya(), ['login', 'both'], steps)).toEqual({ amr, aal: 2 })
  })

  it('a recovery code, which replaces a factor, and a trusted device, which does not', async () => {
    const person = newPerson()
    let code = ''
    const seen: Step = (data) => {
      code = firstRecoveryCode(data)
      return { confirm_recovery_code: true }
    }
    await sessionAfter(
      person,
      ['signup', 'both'],
      [
        named,
        { authentication: 'primary_password', new_password: password },
        { authentication: 'secondary_password', new_password: secondPassword },
        seen,
      ],
    )
    const spare = { authentication: 'recovery_code', recovery_code: code }
    const trusting = { ...spare, request_device_token: true }
    expect(await sessionAfter(person, ['login', 'both'], [named, byPassword, trusting])).toEqual({
      amr: ['mfa', 'pwd', 'x_primary_password', 'x_recovery_code'],
      aal: 2,
    })
    expect(await sessionAfter(person, ['login', 'both'], [named, byPassword])).toEqual({
      amr: ['pwd', 'x_device_token', 'x_primary_password'],
      aal: 1,
    })
  })

  it.each([
    ['with user verification', true, 2],
    ['without user verification', false, 1],
  ])('a passkey %s', async (_what, isUserVerified, aal) => {
    const person = newPerson()
    const device = newDevice({ isUserVerified })
    const newFirst = { authentication: 'primary_password', new_password: password }
    await sessionAfter(person, ['signup', 'passkey'], [named, newFirst, makePasskey(device)])
    person.browser.forget()
    const amr = ['x_passkey', 'x_primary_passkey']
    expect(await sessionAfter(person, ['login', 'passkey'], [usePasskey(device)])).toEqual({
      amr,
      aal,
    })
  })
})

describe('the amr of a session after a sign-up', () => {
  const newFirst = { authentication: 'primary_password', new_password: password }

  it.each<[string, readonly Step[], readonly string[]]>([
    ['a password', [named, newFirst], ['pwd', 'x_primary_password']],
    [
      'codes by mail',
      [named, { authentication: 'primary_oob_otp_email' }],
      ['otp', 'x_primary_oob_otp_email'],
    ],
    [
      'codes by SMS',
      [byPhone, { authentication: 'primary_oob_otp_sms' }],
      ['otp', 'sms', 'x_primary_oob_otp_sms'],
    ],
  ])('%s', async (_what, steps, amr) => {
    expect(await sessionAfter(newPerson(), ['signup', 'first'], steps)).toEqual({ amr, aal: 1 })
  })

  it.each<[string, readonly Step[], readonly string[]]>([
    [
      'a second password',
      [{ authentication: 'secondary_password', new_password: secondPassword }],
      ['mfa', 'pwd', 'x_primary_password', 'x_secondary_password'],
    ],
    [
      'an app',
      [{ authentication: 'secondary_totp' }, codeOfApp({})],
      ['mfa', 'otp', 'pwd', 'x_primary_password', 'x_secondary_totp'],
    ],
    [
      'codes by mail',
      [{ authentication: 'secondary_oob_otp_email', target: otherEmail }, codeTo(otherEmail)],
      ['mfa', 'otp', 'pwd', 'x_primary_password', 'x_secondary_oob_otp_email'],
    ],
    [
      'codes by SMS',
      [
        { authentication: 'secondary_oob_otp_sms', target: otherPhone },
        { channel: 'sms' },
        codeTo(otherPhone),
      ],
      ['mfa', 'otp', 'pwd', 'sms', 'x_primary_password', 'x_secondary_oob_otp_sms'],
    ],
  ])('a password and %s', async (_what, steps, amr) => {
    const all = [named, newFirst, ...steps, { confirm_recovery_code: true }]
    expect(await sessionAfter(newPerson(), ['signup', 'both'], all)).toEqual({ amr, aal: 2 })
  })

  it('a password and a passkey', async () => {
    const steps = [named, newFirst, makePasskey(newDevice())]
    const amr = ['mfa', 'pwd', 'x_passkey', 'x_primary_passkey', 'x_primary_password']
    expect(await sessionAfter(newPerson(), ['signup', 'passkey'], steps)).toEqual({ amr, aal: 2 })
  })
})
