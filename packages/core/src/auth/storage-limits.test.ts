import { createMemoryStorage } from '@gatehouse/store-memory'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../logger.ts'
import type { Storage } from '../storage/storage.ts'
import { createManualClock, type ManualClock } from '../testing/manual-clock.ts'
import type { FlowType } from './config/flow-definition.ts'
import type { FlowInput } from './flow/view.ts'
import { advanceFlow } from './flows/advance-flow.ts'
import { createFlow } from './flows/create-flow.ts'
import type { FlowResult } from './flows/flow-result.ts'
import { createRouteClient, flowsPath, type PostAnswer } from './http/routes.fixture.ts'
import { deleteUser } from './people/delete-user.ts'
import { getUser } from './people/get-user.ts'
import { importUsers } from './people/import-users.ts'
import type { ImportedUser } from './people/imported-user.ts'
import { getLockout, resetLockout } from './people/lockouts.ts'
import { setPassword } from './people/set-password.ts'
import { updateUser } from './people/update-user.ts'
import { errorOf, startOfTests, stateOf, type TestAuth, testAuth } from './service.fixture.ts'
import { listSessions } from './sessions/list-sessions.ts'
import { resolveSession, resolveSessionToken } from './sessions/resolve-session.ts'
import { logout, revokeAllSessions, revokeSession } from './sessions/revoke-session.ts'

const stores: Readonly<Record<string, (clock: ManualClock) => Storage>> = {
  memory: (clock) => createMemoryStorage({ clock }),
  sqlite: (clock) => createSqliteStorage({ filename: ':memory:', clock }),
}

/** User names of any length, and a second factor sent to an address. */
const config = {
  identity: {
    login_id: {
      keys: [{ type: 'email' }, { type: 'phone' }, { type: 'username', max_length: 1_000_000 }],
      types: { username: { ascii_only: false } },
    },
  },
  authentication: {
    primary_authenticators: ['password'],
    secondary_authenticators: ['oob_otp_email'],
    secondary_authentication_mode: 'required',
    rate_limits: {
      account_enumeration: { per_ip: { enabled: false } },
      signup: { per_ip: { enabled: false } },
    },
  },
  authentication_flow: { rate_limits: { per_ip: { enabled: false } } },
}

const password = 'tidal-lantern-42'
const newPassword = { authentication: 'primary_password', new_password: password }

/** Short enough for the configuration in characters, but too many bytes for a record's id. */
const tooLong = {
  email: `${'𠀁'.repeat(300)}@x.io`,
  username: 'я'.repeat(500),
}

/** The longest possible login IDs. */
const longest = { email: `${'я'.repeat(157)}@x.io`, username: '𠀁'.repeat(120) }

/** Texts that cannot be ids, sent where an id is expected. */
const unfit: readonly (readonly [what: string, text: string])[] = [
  ['that is far too long', 'x'.repeat(100_000)],
  ['with one byte too many', 'x'.repeat(513)],
  ['with too many bytes', '𠀁'.repeat(200)],
  ['that holds NUL', 'x\0y'],
  ['with an unpaired surrogate', 'x\ud800y'],
  ['that is empty', ''],
]

describe.each(Object.entries(stores))('a service on the store %s', (_, createStorage) => {
  let world: TestAuth
  let faults: unknown[]

  beforeEach(() => {
    faults = []
    const clock = createManualClock(startOfTests)
    const logger = { ...silentLogger, error: (fields: object) => void faults.push(fields) }
    const storage = createStorage(clock)
    world = { ...testAuth(config, { storage, clock, logger }), clock }
  })

  afterEach(async () => {
    await world.storage.close()
    expect(faults).toEqual([])
  })

  const run = (type: FlowType, ...inputs: readonly FlowInput[]): Promise<FlowResult> =>
    createFlow(world.auth, { type, name: 'default', batch_input: inputs })

  /** Continues from a result. */
  const goOn = (from: FlowResult, ...inputs: readonly FlowInput[]): Promise<FlowResult> => {
    const { state_token } = stateOf(from)
    return advanceFlow(world.auth, { state_token, batch_input: inputs })
  }

  const tooLongAt = (location: string, expected: number, actual: number): object => ({
    reason: 'ValidationFailed',
    code: 400,
    info: { causes: [{ location, kind: 'maxLength', details: { expected, actual } }] },
  })

  describe('refuses a login ID with more bytes than can be stored', () => {
    it.each<[FlowType, keyof typeof tooLong, expected: number, actual: number]>([
      ['signup', 'email', 121, 305],
      ['signup', 'username', 480, 500],
      ['login', 'email', 121, 305],
      ['login', 'username', 480, 500],
      ['signup_login', 'email', 121, 305],
      ['account_recovery', 'email', 121, 305],
    ])('in a %s, as %s', async (type, identification, expected, actual) => {
      const login_id = tooLong[identification]
      const refused = errorOf(await run(type, { identification, login_id }))
      expect(refused).toMatchObject(tooLongAt('/login_id', expected, actual))
    })

    it('in few characters that normalize to several each', async () => {
      const input = { identification: 'username', login_id: '㌖'.repeat(40) }
      for (const type of ['signup', 'login'] as const) {
        expect(errorOf(await run(type, input))).toMatchObject(tooLongAt('/login_id', 26, 40))
      }
    })

    it('as the target of codes', async () => {
      const refused = await run(
        'signup',
        { identification: 'username', login_id: 'maya' },
        newPassword,
        { authentication: 'secondary_oob_otp_email', target: tooLong.email },
      )
      expect(errorOf(refused)).toMatchObject(tooLongAt('/target', 121, 305))
    })

    it('of imported users, and imports the others', async () => {
      const given: readonly ImportedUser[] = [
        { email: tooLong.email },
        { preferred_username: tooLong.username },
        { preferred_username: 'lena', mfa: { email: tooLong.email } },
        { preferred_username: 'lena' },
      ]
      const outcomes = await importUsers(world.auth, given)
      expect(
        outcomes.map((one) => (one.outcome === 'failed' ? one.error.info : one.outcome)),
      ).toEqual([
        {
          causes: [
            { location: '/email', kind: 'maxLength', details: { expected: 121, actual: 305 } },
          ],
        },
        {
          causes: [
            {
              location: '/preferred_username',
              kind: 'maxLength',
              details: { expected: 480, actual: 500 },
            },
          ],
        },
        {
          causes: [
            { location: '/mfa/email', kind: 'maxLength', details: { expected: 121, actual: 305 } },
          ],
        },
        'inserted',
      ])
    })
  })

  it.each([
    ['email', longest.email],
    ['username', longest.username],
  ])('accepts the longest %s in a sign-up, and finds it at a login', async (...given) => {
    const [identification, login_id] = given
    const identify = { identification, login_id }
    let state = await run('signup', identify)
    if (identification === 'email') state = await goOn(state, { code: world.codeTo(login_id) })
    const target = 'second@harborlight.example'
    const asked = await goOn(state, newPassword, {
      authentication: 'secondary_oob_otp_email',
      target,
    })
    const codes = await goOn(asked, { code: world.codeTo(target) })
    const finished = await goOn(codes, { confirm_recovery_code: true })
    expect(stateOf(finished).action.type).toBe('finished')
    const known = await run('login', identify, { authentication: 'primary_password', password })
    expect(stateOf(known).action.type).toBe('authenticate')
    expect(errorOf(await run('signup', identify)).reason).toBe('InvariantViolated')
  })

  describe.each(unfit)('is sent a text %s', (_, text) => {
    /** The text as far as a URL can hold it. */
    const inUrl = encodeURIComponent(text.toWellFormed())

    const post = (path: string, body: unknown): Promise<PostAnswer> =>
      createRouteClient(world.auth).post(`${flowsPath}${path}`, body)

    it('as a token or a code, and finds none', async () => {
      const answers = [
        await post('/states', { state_token: text }),
        await post('/states/input', { state_token: text, input: {} }),
        await post('/states/input', { input: { account_recovery_code: text } }),
        await post('/links/approve', { code: text }),
        await post('', { type: 'login', name: text }),
      ]
      expect(answers.map(({ body }) => body.error?.reason)).toEqual([
        'AuthenticationFlowNotFound',
        'AuthenticationFlowNotFound',
        'PasswordResetFailed',
        'InvalidOTPCode',
        'AuthenticationFlowFlowNotFound',
      ])
    })

    it('in a path, and finds nothing', async () => {
      const { send, connect } = createRouteClient(world.auth)
      const opened = await post(`?client_id=${inUrl}&x_ref=${inUrl}&ui_locales=${inUrl}`, {
        type: 'login',
        name: 'default',
      })
      expect(opened.status).toBe(200)
      const listening = await connect(`${flowsPath}/ws?channel=${inUrl}`)
      expect(listening).toMatchObject({ status: 400 })
      const pages = ['verify_login_link', 'reset_password'].map((page) =>
        send(`/authflow/v2/${page}?code=${inUrl}`),
      )
      expect((await Promise.all(pages)).map(({ status }) => status)).toEqual([403, 400])
    })

    it('in cookies, and finds no session and no device', async () => {
      const cookie = `session=${text}.${text}; mfa_device_token=${text}.${text}`
      const request = { headers: { get: () => cookie } }
      expect(await resolveSession(world.auth, request)).toBeUndefined()
      expect(await resolveSessionToken(world.auth, `${text}.${text}`)).toBeUndefined()
      expect((await logout(world.auth, request)).map(({ value }) => value)).toEqual(['', ''])
      const password_hash = await world.auth.hasher.hash(password)
      const target = 'second@harborlight.example'
      await importUsers(world.auth, [
        {
          preferred_username: 'maya',
          password: { type: 'scrypt', password_hash },
          mfa: { email: target },
        },
      ])
      const context = { cookie, ip: text, userAgent: text }
      const asked = await createFlow(
        world.auth,
        {
          type: 'login',
          name: 'default',
          batch_input: [
            { identification: 'username', login_id: 'maya' },
            { authentication: 'primary_password', password },
            { authentication: 'secondary_oob_otp_email', index: 0 },
          ],
        },
        context,
      )
      const { state_token } = stateOf(asked)
      const input = { code: world.codeTo(target), request_device_token: true }
      const finished = await advanceFlow(world.auth, { state_token, input }, context)
      expect(stateOf(finished).action.type).toBe('finished')
    })

    it('by its host as the id of a session or user, and finds none', async () => {
      const { auth } = world
      await revokeSession(auth, text)
      await revokeAllSessions(auth, text)
      await resetLockout(auth, text)
      expect(await listSessions(auth, text)).toEqual([])
      expect(await getLockout(auth, text)).toMatchObject({ attempts: 0, locked_until: null })
      const unknown = { reason: 'UserNotFound' }
      await expect(getUser(auth, text)).rejects.toMatchObject(unknown)
      await expect(updateUser(auth, text, {})).rejects.toMatchObject(unknown)
      await expect(setPassword(auth, text, password)).rejects.toMatchObject(unknown)
      await expect(deleteUser(auth, text)).rejects.toMatchObject(unknown)
    })
  })

  it.each<[what: string, value: unknown]>([
    ['are nested deeper than a record may be', nested(99)],
    ['are nested deeper than the call stack allows', nested(100_000)],
    ['hold a number that JSON does not have', { size: Number.POSITIVE_INFINITY }],
  ])('imports no user whose attributes %s', async (_, value) => {
    const attributes = { x_value: value } as NonNullable<ImportedUser['custom_attributes']>
    const outcomes = await importUsers(world.auth, [
      { preferred_username: 'maya', custom_attributes: attributes },
      { preferred_username: 'maya', standard_attributes: attributes },
      { preferred_username: 'maya' },
    ])
    const cause = { location: '', kind: 'general', details: { msg: expect.any(String) } }
    expect(
      outcomes.map((one) => (one.outcome === 'failed' ? one.error.info : one.outcome)),
    ).toEqual([{ causes: [cause] }, { causes: [cause] }, 'inserted'])
  })
})

/** Lists nested to a depth. */
function nested(depth: number): unknown {
  let value: unknown = 'core'
  for (let level = 0; level < depth; level++) value = [value]
  return value
}
