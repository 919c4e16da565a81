import { describe, expect, it } from 'vitest'
import type { FlowInput } from './flow/view.ts'
import { advanceFlow } from './flows/advance-flow.ts'
import { beginAccountFlow } from './own-account/begin-account-flow.ts'
import { addAuthenticator } from './people/add-authenticator.ts'
import { createUser } from './people/create-user.ts'
import { importUsers } from './people/import-users.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  stateOf,
  type TestAuth,
  type TestFlow,
  testAuth,
} from './service.fixture.ts'
import { createSession } from './sessions/create-session.ts'
import { requireFresh } from './sessions/require-fresh.ts'
import { resolveSessionToken } from './sessions/resolve-session.ts'

const email = 'maya@harborlight.example'
const other = 'maya@second.example'
const phone = '+6591234567'
const password = 'tidal-lantern-42'

const byMail: ConfigDelta = {
  authentication: {
    primary_authenticators: ['oob_otp_email'],
    secondary_authentication_mode: 'required',
    secondary_authenticators: ['oob_otp_email', 'totp'],
    recovery_code: { disabled: true },
  },
}

/** Feeds inputs; a function is given the newest code to the address. */
async function goThrough(
  world: TestAuth,
  flow: TestFlow,
  inputs: readonly (FlowInput | string)[],
): Promise<void> {
  for (const input of inputs) {
    const given = typeof input === 'string' ? { code: world.codeTo(input) } : input
    stateOf(await flow.input(given))
  }
}

const sessionOf = async ({ auth }: TestAuth, { last }: TestFlow) => {
  const token = last.ok ? last.cookies.find(({ name }) => name === 'session')?.value : undefined
  return token === undefined ? undefined : resolveSessionToken(auth, token)
}

describe('a sign-up by codes to one mailbox', () => {
  const atSecond = async (delta: ConfigDelta = byMail): Promise<[TestAuth, TestFlow]> => {
    const world = testAuth(delta)
    const flow = await startFlow(world, 'signup')
    await goThrough(world, flow, [
      { identification: 'email', login_id: email },
      email,
      { authentication: 'primary_oob_otp_email', index: 0 },
    ])
    expect(stateOf(flow.last).action.type).toBe('create_authenticator')
    return [world, flow]
  }

  it.each([
    email,
    'Maya@Harborlight.example',
    'maya+2@harborlight.example',
    'm.aya@harborlight.example',
  ])('refuses %s as the second factor', async (target) => {
    const [, flow] = await atSecond()
    const input = { authentication: 'secondary_oob_otp_email', target }
    expect(errorOf(await flow.input(input))).toMatchObject({
      reason: 'InvariantViolated',
      info: { cause: { kind: 'DuplicatedAuthenticator' } },
    })
  })

  it('takes another mailbox, which a code proves', async () => {
    const [world, flow] = await atSecond()
    await goThrough(world, flow, [{ authentication: 'secondary_oob_otp_email', target: other }])
    expect(stateOf(flow.last).action.data.type).toBe('verify_oob_otp_data')
    await goThrough(world, flow, [other])
    expect(await sessionOf(world, flow)).toMatchObject({
      aal: 2,
      amr: expect.arrayContaining(['mfa']),
    })
  })

  it('offers no second factor at the same address in a declared flow', async () => {
    const who = { type: 'identify', name: 'who', one_of: [{ identification: 'email' }] }
    const target = { target_step: 'who' }
    const creating = (authentication: string) => ({
      type: 'create_authenticator',
      one_of: [{ authentication, ...target }],
    })
    const steps = [
      who,
      { type: 'verify', target_step: 'who' },
      creating('primary_oob_otp_email'),
      creating('secondary_oob_otp_email'),
    ]
    const world = testAuth({
      ...byMail,
      authentication_flow: { signup_flows: [{ name: 'default', steps }] },
    })
    const flow = await startFlow(world, 'signup')
    await goThrough(world, flow, [
      { identification: 'email', login_id: email },
      email,
      { authentication: 'primary_oob_otp_email' },
    ])
    expect(await sessionOf(world, flow)).toMatchObject({
      aal: 1,
      amr: ['otp', 'x_primary_oob_otp_email'],
    })
  })
})

describe('a second factor by mail', () => {
  const withPassword: ConfigDelta = {
    authentication: {
      primary_authenticators: ['password'],
      secondary_authenticators: ['oob_otp_email'],
      secondary_authentication_mode: 'required',
      recovery_code: { disabled: true },
    },
  }

  it('is proven by a new code, even if the address has just been verified', async () => {
    const world = testAuth(withPassword)
    const flow = await startFlow(world, 'signup')
    await goThrough(world, flow, [
      { identification: 'email', login_id: email },
      email,
      { authentication: 'primary_password', new_password: password },
      { authentication: 'secondary_oob_otp_email', target: email },
    ])
    expect(world.outbox.messages).toHaveLength(2)
    expect(stateOf(flow.last).action.data.type).toBe('verify_oob_otp_data')
    await goThrough(world, flow, [email])
    expect((await sessionOf(world, flow))?.aal).toBe(2)
  })

  it('is not set up in the account for an address that is the only way in', async () => {
    const world = testAuth({
      authentication: {
        ...(byMail.authentication as object),
        secondary_authentication_mode: 'if_exists',
      },
    })
    const id = await createUser(world.auth, { email, email_verified: true })
    const { session, token } = await createSession(world.auth, id)
    const request = { cookie: `session=${token}` }
    const begun = await beginAccountFlow(
      world.auth,
      session,
      { create_authenticator: ['secondary_oob_otp_email'] },
      request,
    )
    const input = { authentication: 'secondary_oob_otp_email', target: email }
    const state_token = stateOf(begun).state_token
    expect(errorOf(await advanceFlow(world.auth, { state_token, input }, request))).toMatchObject({
      info: { cause: { kind: 'DuplicatedAuthenticator' } },
    })
  })

  it('is not offered where a code to the same address was the first', async () => {
    for (const [mode, expected] of [
      ['if_exists', 'finished'],
      ['required', 'NoAuthenticator'],
    ] as const) {
      const world = testAuth({
        authentication: {
          ...(byMail.authentication as object),
          secondary_authentication_mode: mode,
        },
      })
      await importUsers(world.auth, [{ email, email_verified: true, mfa: { email } }])
      const flow = await startFlow(world, 'login')
      await flow.input({ identification: 'email', login_id: email })
      stateOf(await flow.input({ authentication: 'primary_oob_otp_email', index: 0 }))
      await Promise.all(world.auth.sending)
      const done = await flow.input({ code: world.codeTo(email) })
      if (mode === 'required') {
        expect(errorOf(done)).toMatchObject({ info: { cause: { kind: expected } } })
        continue
      }
      expect(stateOf(done).action.type).toBe(expected)
      expect((await sessionOf(world, flow))?.aal).toBe(1)
    }
  })
})

describe('two factors with one secret, one after the other', () => {
  it('do not raise a session: a code to the same phone by another channel', async () => {
    const world = testAuth({
      authentication: {
        identities: ['login_id'],
        primary_authenticators: ['oob_otp_sms'],
        secondary_authenticators: ['oob_otp_sms', 'totp'],
        secondary_authentication_mode: 'if_exists',
      },
      authenticator: { oob_otp: { sms: { phone_otp_mode: 'whatsapp_sms' } } },
      identity: { login_id: { keys: [{ type: 'phone' }] } },
      authentication_flow: {
        login_flows: [
          {
            name: 'up',
            steps: [
              { type: 'identify', one_of: [{ identification: 'select_account' }] },
              { type: 'authenticate', one_of: [{ authentication: 'secondary_oob_otp_sms' }] },
            ],
          },
        ],
      },
    })
    const user = { phone_number: phone, phone_number_verified: true }
    await importUsers(world.auth, [{ ...user, mfa: { phone_number: phone } }])
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'phone', login_id: phone })
    await flow.input({ authentication: 'primary_oob_otp_sms', index: 0, channel: 'sms' })
    await Promise.all(world.auth.sending)
    await goThrough(world, flow, [phone])
    const token = flow.last.ok ? (flow.last.cookies[0]?.value ?? '') : ''
    world.clock.advance(61_000)
    const more = await startFlow(world, 'login', { cookie: `session=${token}` }, 'up')
    await goThrough(world, more, [
      { identification: 'select_account', index: 0 },
      { authentication: 'secondary_oob_otp_sms', index: 0, channel: 'whatsapp' },
      phone,
    ])
    const session = await resolveSessionToken(world.auth, token)
    expect(session?.amr).toEqual(['otp', 'sms', 'x_primary_oob_otp_sms', 'x_secondary_oob_otp_sms'])
    expect(session?.aal).toBe(1)
    expect(
      () => session && requireFresh(world.auth, session, { maxAgeMs: 60_000, amr: ['mfa'] }),
    ).toThrow('authenticate again')
  })
})

describe('a second password', () => {
  const passwords: ConfigDelta = {
    authentication: {
      secondary_authenticators: ['password'],
      secondary_authentication_mode: 'required',
      recovery_code: { disabled: true },
    },
  }

  it('must differ from the first, wherever it is set', async () => {
    const world = testAuth(passwords)
    const flow = await startFlow(world, 'signup')
    await goThrough(world, flow, [
      { identification: 'email', login_id: email },
      email,
      { authentication: 'primary_password', new_password: password },
    ])
    const input = { authentication: 'secondary_password', new_password: password }
    const reused = {
      reason: 'PasswordPolicyViolated',
      info: { causes: [{ Name: 'PasswordReused' }] },
    }
    expect(errorOf(await flow.input(input))).toMatchObject(reused)
    const id = await createUser(world.auth, { email: other, password })
    const second = { type: 'password', kind: 'secondary', password } as const
    await expect(addAuthenticator(world.auth, id, second)).rejects.toThrow('policy')
    await addAuthenticator(world.auth, id, { ...second, password: 'another text' })
  })

  it('is no second factor if it was imported with the same text', async () => {
    const world = testAuth(passwords)
    const hash = { type: 'scrypt', password_hash: await world.auth.hasher.hash(password) } as const
    await importUsers(world.auth, [{ email, password: hash, mfa: { password: hash } }])
    const flow = await startFlow(world, 'login')
    await goThrough(world, flow, [
      { identification: 'email', login_id: email },
      { authentication: 'primary_password', password },
      { authentication: 'secondary_password', password },
    ])
    expect(await sessionOf(world, flow)).toMatchObject({
      aal: 1,
      amr: ['pwd', 'x_primary_password', 'x_secondary_password'],
    })
  })
})
