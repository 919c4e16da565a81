import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { isInSample, runsOf, sampleOf } from '../../../../../test-support/lane.ts'
import { silentLogger } from '../../logger.ts'
import type { FlowInput } from '../flow/view.ts'
import { totpCode } from '../kinds/totp/totp.ts'
import { createUser } from '../people/create-user.ts'
import { importUsers } from '../people/import-users.ts'
import { decodeBase32 } from '../secrets/base32.ts'
import { type TestAuth, testAuth } from '../service.fixture.ts'
import {
  createRouteClient,
  flowsPath,
  type PostAnswer,
  type RouteClient,
} from './routes.fixture.ts'

const inputPath = `${flowsPath}/states/input`
const statesPath = `${flowsPath}/states`
const approvePath = `${flowsPath}/links/approve`
const mebibyte = 1024 * 1024

/** The documented statuses; any other would be a defect. */
const documented = new Set([200, 400, 401, 403, 404, 413, 429])

/** A configuration with every kind of prompt. */
const config = {
  authentication: {
    primary_authenticators: ['password', 'oob_otp_email', 'oob_otp_sms'],
    secondary_authenticators: ['totp', 'password', 'oob_otp_email', 'oob_otp_sms'],
    secondary_authentication_mode: 'required',
  },
  identity: {
    login_id: {
      keys: [{ type: 'email' }, { type: 'phone' }, { type: 'username' }],
      types: { username: { ascii_only: false } },
    },
  },
  oauth: { clients: [{ client_id: 'web', redirect_uris: [], x_max_concurrent_session: 1 }] },
  user_profile: {
    custom_attributes: {
      attributes: [
        'string',
        'number',
        'integer',
        'phone_number',
        'email',
        'url',
        'country_code',
      ].map((type, index) => ({ id: `000${index}`, pointer: `/x_${type}`, type })),
    },
  },
  authentication_flow: {
    rate_limits: { per_ip: { enabled: false } },
    signup_flows: [
      {
        name: 'profile',
        steps: [
          { type: 'identify', name: 'who', one_of: [{ identification: 'username' }] },
          {
            type: 'fill_in_user_profile',
            user_profile: [
              '/name',
              '/birthdate',
              '/zoneinfo',
              '/locale',
              '/website',
              '/address',
              '/email',
              '/x_string',
              '/x_number',
              '/x_integer',
              '/x_phone_number',
              '/x_email',
              '/x_url',
              '/x_country_code',
            ].map((pointer) => ({ pointer, required: false })),
          },
          { type: 'view_recovery_code' },
        ],
      },
    ],
  },
}

interface World extends TestAuth, RouteClient {
  /** The faults that were logged. */
  readonly faults: unknown[]
}

function createWorld(): World {
  const faults: unknown[] = []
  const logger = { ...silentLogger, error: (fields: object) => faults.push(fields) }
  const world = testAuth(config, { logger })
  let requests = 0
  const { post, ...client } = createRouteClient(world.auth)
  return {
    ...world,
    ...client,
    faults,
    // Each request has its own address, so that no rate limit applies.
    post: (path, body, request) => {
      requests++
      return post(path, body, {
        address: `10.${requests >> 16}.${(requests >> 8) & 255}.${requests & 255}`,
        ...request,
      })
    },
  }
}

let world: World
let names = 0
beforeEach(() => {
  world = createWorld()
})

/** Expects a documented status and a small body. */
function expectSound({ status, body }: PostAnswer, what: unknown): void {
  const shown = (): string =>
    `${JSON.stringify(what)?.slice(0, 300)}: ${JSON.stringify(body).slice(0, 300)}`
  expect(world.faults, shown()).toEqual([])
  expect(documented, shown()).toContain(status)
  if (status !== 200) expect(body.error?.code, shown()).toBe(status)
  expect(JSON.stringify(body).length, shown()).toBeLessThan(50_000)
}

async function advance(token: string, ...inputs: readonly FlowInput[]): Promise<string> {
  const { body } = await world.post(inputPath, { state_token: token, batch_input: inputs })
  if (body.error !== undefined) throw new Error(JSON.stringify(body.error))
  return body.result?.state_token ?? ''
}

async function create(type: string, name = 'default', query = ''): Promise<string> {
  const { body } = await world.post(`${flowsPath}${query}`, { type, name })
  return body.result?.state_token ?? ''
}

/** A state, and a matching input. */
interface Station {
  readonly token: string
  readonly input: FlowInput
}

const newName = (): string => `somebody${names++}`
const password = 'tidal-lantern-42'

/** A new sign-up with a verified address. */
async function verified(): Promise<string> {
  const login_id = `${newName()}@harborlight.example`
  const token = await advance(await create('signup'), { identification: 'email', login_id })
  return advance(token, { code: world.codeTo(login_id) })
}

async function newUser(parts: Partial<Parameters<typeof importUsers>[1][0]> = {}): Promise<string> {
  const email = `${newName()}@harborlight.example`
  const password_hash = await world.auth.hasher.hash(password)
  await importUsers(world.auth, [{ email, password: { type: 'scrypt', password_hash }, ...parts }])
  return email
}

const secret = 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN'
const currentCode = (): string =>
  totpCode(decodeBase32(secret) ?? new Uint8Array(), Math.floor(world.clock.now() / 30_000))

/** Every kind of prompt: how to reach it, and an input for it. */
const stations: Readonly<Record<string, () => Promise<Station>>> = {
  'identify of a sign-up': async () => ({
    token: await create('signup'),
    input: { identification: 'email', login_id: `${newName()}@harborlight.example` },
  }),
  'identify of a login': async () => ({
    token: await create('login'),
    input: { identification: 'username', login_id: newName() },
  }),
  'identify of a signup_login flow': async () => ({
    token: await create('signup_login'),
    input: { identification: 'phone', login_id: '+6591234567' },
  }),
  'the channel of a code': async () => ({
    token: await advance(await create('signup'), {
      identification: 'phone',
      login_id: '+6591234567',
    }),
    input: { channel: 'sms' },
  }),
  'the code for an address': async () => {
    const login_id = `${newName()}@harborlight.example`
    const token = await advance(await create('signup'), { identification: 'email', login_id })
    return { token, input: { code: world.codeTo(login_id) } }
  },
  'creating a password': async () => ({
    token: await verified(),
    input: { authentication: 'primary_password', new_password: password },
  }),
  'enrolling a second factor': async () => ({
    token: await advance(await verified(), {
      authentication: 'primary_password',
      new_password: password,
    }),
    input: { authentication: 'secondary_oob_otp_email', target: 'second@harborlight.example' },
  }),
  'the first TOTP code': async () => ({
    token: await advance(
      await verified(),
      { authentication: 'primary_password', new_password: password },
      { authentication: 'secondary_totp' },
    ),
    input: { code: '123456' },
  }),
  attributes: async () => ({
    token: await advance(await create('signup', 'profile'), {
      identification: 'username',
      login_id: newName(),
    }),
    input: { attributes: [{ pointer: '/name', value: 'Maya' }] },
  }),
  'recovery codes': async () => ({
    token: await advance(
      await create('signup', 'profile'),
      { identification: 'username', login_id: newName() },
      { attributes: [] },
    ),
    input: { confirm_recovery_code: true },
  }),
  'the password of a user': async () => ({
    token: await advance(await create('login'), {
      identification: 'email',
      login_id: await newUser(),
    }),
    input: { authentication: 'primary_oob_otp_email', index: 1, channel: 'email' },
  }),
  'the second factor of a user': async () => ({
    token: await advance(
      await create('login'),
      {
        identification: 'email',
        login_id: await newUser({
          mfa: {
            totp: { secret },
            email: 'second@harborlight.example',
            phone_number: '+6591234567',
          },
        }),
      },
      { authentication: 'primary_password', password },
    ),
    input: { authentication: 'secondary_totp', code: currentCode(), request_device_token: true },
  }),
  'the existing session of a client': async () => {
    const login_id = await newUser({ mfa: { totp: { secret } } })
    const inputs = (): FlowInput[] => [
      { identification: 'email', login_id },
      { authentication: 'primary_password', password },
      { authentication: 'secondary_totp', code: currentCode() },
    ]
    await advance(await create('login', 'default', '?client_id=web'), ...inputs())
    world.clock.advance(30_000)
    const token = await advance(await create('login', 'default', '?client_id=web'), ...inputs())
    return { token, input: { confirm_terminate_other_sessions: true } }
  },
  'a new password': async () => {
    const password_hash = await world.auth.hasher.hash(password)
    const expired = { type: 'scrypt', password_hash, expire_after: world.clock.now() } as const
    const login_id = await newUser({ password: expired, mfa: { totp: { secret } } })
    const token = await advance(
      await create('login'),
      { identification: 'email', login_id },
      { authentication: 'primary_password', password },
      { authentication: 'secondary_totp', code: currentCode() },
    )
    return { token, input: { new_password: 'copper-meadow-7' } }
  },
  'identify of an account recovery': async () => ({
    token: await create('account_recovery'),
    input: { identification: 'email', login_id: await newUser() },
  }),
  'the destination of an account recovery': async () => ({
    token: await advance(await create('account_recovery'), {
      identification: 'phone',
      login_id: '+6591234567',
    }),
    input: { index: 0 },
  }),
  'the code of an account recovery': async () => {
    const login_id = await newUser()
    const token = await advance(
      await create('account_recovery'),
      { identification: 'email', login_id },
      { index: 0 },
    )
    await Promise.all(world.auth.sending)
    return { token, input: { account_recovery_code: world.codeTo(login_id) } }
  },
}

/** Which values are sent in which members of an input at a prompt, and of a body. */
const isSent = sampleOf(16)
const isInBodies = sampleOf(4)

/** The members of the inputs of all prompts, and some of Object.prototype. */
const members = [
  'identification',
  'login_id',
  'authentication',
  'index',
  'channel',
  'target',
  'password',
  'new_password',
  'code',
  'check',
  'resend',
  'request_device_token',
  'recovery_code',
  'account_recovery_code',
  'attributes',
  'confirm_recovery_code',
  'confirm_terminate_other_sessions',
  '__proto__',
  'constructor',
]

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

/** JSON values, as text. */
const values: readonly string[] = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1.5',
  '1e308',
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"a\\u0000@harborlight.example"',
  '"\\ud800@harborlight.example"',
  '"\\u202e\\ufeff\\u0301"',
  '"+999999999999999999999999"',
  '"__proto__"',
  '"toString"',
  `"${'x'.repeat(20_000)}"`,
  `"${'a'.repeat(5_000)}@${'b.'.repeat(5_000)}example"`,
  '[]',
  '[null]',
  `[${'0,'.repeat(3_000)}0]`,
  '[{"pointer":"/name","value":"\\u0000"},{"pointer":"__proto__","value":1},{"pointer":"/address","value":{"__proto__":1,"x":[[]]}}]',
  '[{"pointer":"/x_number","value":1e308},{"pointer":"/x_integer","value":-0.5},{"pointer":"/email"},{}]',
  '{}',
  '{"__proto__":{"identification":"email"}}',
  nested(90),
]

describe('hostile input', () => {
  it.each(Object.keys(stations))(
    'at the prompt "%s" is refused or has its documented effect',
    async (name) => {
      const arrive = stations[name]
      if (arrive === undefined) throw new Error(`unknown prompt ${name}`)
      let station = await arrive()
      const place = Object.keys(stations).indexOf(name)
      for (const [memberIndex, member] of members.entries()) {
        for (const [valueIndex, value] of values.entries()) {
          if (!isSent(place, memberIndex, valueIndex)) continue
          const { [member]: _, ...rest }: FlowInput = station.input
          const others = JSON.stringify(rest).slice(1, -1)
          const input = `{${others}${others === '' ? '' : ','}"${member}":${value}}`
          const body = `{"state_token":"${station.token}","input":${input}}`
          const answer = await world.post(inputPath, body)
          expectSound(answer, input)
          if (answer.body.result?.action.type === 'finished') station = await arrive()
        }
      }
      const { token, input } = await arrive()
      const good = await world.post(inputPath, { state_token: token, input })
      expect(good.body.error?.reason ?? 'taken').toMatch(
        /^(taken|InvalidCredentials|UserNotFound)$/,
      )
    },
  )

  it('in any member of the bodies is refused as documented', async () => {
    const token = await create('login')
    const bodies: readonly (readonly [path: string, body: FlowInput])[] = [
      [flowsPath, { type: 'login', name: 'default' }],
      [flowsPath, { type: 'login', name: 'default', batch_input: [{}] }],
      [inputPath, { state_token: token, input: {} }],
      [inputPath, { state_token: token, batch_input: [{}] }],
      [inputPath, { input: { account_recovery_code: 'x' } }],
      [statesPath, { state_token: token }],
      [approvePath, { code: 'x' }],
    ]
    const all = [
      'type',
      'name',
      'input',
      'batch_input',
      'url_query',
      'state_token',
      'code',
      '__proto__',
    ]
    for (const [place, [path, body]] of bodies.entries()) {
      for (const [memberIndex, member] of all.entries()) {
        for (const [valueIndex, value] of values.entries()) {
          if (!isInBodies(place, memberIndex, valueIndex)) continue
          const { [member]: _, ...rest } = body
          const others = JSON.stringify(rest).slice(1, -1)
          const text = `{${others}${others === '' ? '' : ','}"${member}":${value}}`
          expectSound(await world.post(path, text), text)
        }
      }
    }
  })

  it('that is nested, long or has many members takes little time and memory', async () => {
    const token = await create('login')
    const manyMembers = Array.from({ length: 200_000 }, (_, i) => `"m${i}":0`).join()
    const bombs = [
      nested(mebibyte),
      `{"a":`.repeat(mebibyte),
      `{"type":"login","name":"default","input":{"identification":${nested(5_000)}}}`,
      `{"type":"login","name":"default","input":{${manyMembers}}}`,
      `{${manyMembers}}`,
      `{"type":"login","name":"default","batch_input":[${'{},'.repeat(200_000)}{}]}`,
      `{"type":"login","name":"default","input":{"identification":"${'x'.repeat(5 * mebibyte)}"}}`,
      `{"type":"login","name":"default","input":{"identification":"email","login_id":"${'x'.repeat(5 * mebibyte)}"}}`,
      `{"type":"${'x'.repeat(5 * mebibyte)}","name":"default"}`,
      `{"type":"login","name":"default","url_query":"${'a=&'.repeat(mebibyte)}"}`,
      `{"state_token":"${'x'.repeat(5 * mebibyte)}","input":{}}`,
      `[${'1,'.repeat(mebibyte)}1]`,
      `{"a":${'9'.repeat(mebibyte)}}`,
      `{"a":1e999}`,
    ]
    const paths = [flowsPath, inputPath, statesPath, approvePath]
    for (const [bombIndex, bomb] of bombs.entries()) {
      for (const [pathIndex, path] of paths.entries()) {
        if (!isInSample(bombIndex, pathIndex)) continue
        const answer = await world.post(path, bomb)
        expectSound(answer, bomb.slice(0, 60))
        expect(answer.status, bomb.slice(0, 60)).not.toBe(200)
      }
    }
    const login_id = '\u0301'.repeat(mebibyte)
    const input = { identification: 'username', login_id }
    expectSound(await world.post(inputPath, { state_token: token, input }), 'marks')
    const isTooLarge = await world.post(flowsPath, ' '.repeat(10 * mebibyte + 1))
    expect([isTooLarge.status, isTooLarge.body.error?.reason]).toEqual([413, 'JSONTooLarge'])
  })

  it('that is not JSON is answered with 500 as documented, and not logged as a fault', async () => {
    const texts = [
      '',
      '{',
      'nul',
      '{"type":"login"',
      '{]',
      '\u0000',
      '"\\x"',
      '\ufeff{}',
      'NaN',
      '{"a":+1}',
    ]
    for (const text of texts) {
      for (const path of [flowsPath, inputPath, statesPath, approvePath]) {
        const { status, body } = await world.post(path, text)
        expect([status, body.error?.reason, body.error?.info]).toEqual([
          500,
          'UnexpectedError',
          undefined,
        ])
      }
    }
    expect(world.faults).toEqual([])
  })

  it('as a token finds no state', async () => {
    const token = await create('login')
    const tokens = [
      '',
      ' ',
      token.toLowerCase(),
      ` ${token}`,
      token.slice(0, -1),
      `${token}0`,
      token.replace('authflowstate_', 'authflow_'),
      '__proto__',
      '../../etc/passwd',
      '\u0000',
      'x'.repeat(100_000),
    ]
    for (const state_token of tokens) {
      for (const [path, body] of [
        [inputPath, { state_token, input: {} }],
        [statesPath, { state_token }],
      ] as const) {
        const { status, body: answer } = await world.post(path, body)
        expect([status, answer.error?.reason, answer.result]).toEqual([
          404,
          'AuthenticationFlowNotFound',
          undefined,
        ])
      }
    }
    const elsewhere = createWorld()
    const foreign = await elsewhere.post(statesPath, { state_token: token })
    expect(foreign.status).toBe(404)
    expect((await world.post(statesPath, { state_token: token })).status).toBe(200)
  })

  it('from another flow is refused, and does not misdirect a flow', async () => {
    const tokens = new Map<string, Station>()
    for (const [name, arrive] of Object.entries(stations)) tokens.set(name, await arrive())
    for (const [name, { token }] of tokens) {
      for (const [other, { input }] of tokens) {
        const answer = await world.post(inputPath, { state_token: token, input })
        expectSound(answer, `${other} at ${name}`)
      }
    }
  })

  it('in cookies, queries and headers changes nothing', async () => {
    await createUser(world.auth, { email: 'maya@harborlight.example', password })
    const cookies = [
      'session=',
      'session=x',
      'session=__proto__.x',
      `session=${'.'.repeat(5_000)}`,
      `mfa_device_token=${'a.'.repeat(5_000)}`,
      `${'a=b;'.repeat(5_000)}`,
      ';;;===;;;',
      'session="quoted.token"; session=second',
    ]
    const queries = [
      '?',
      '?x_ref=',
      '?x_ref=%00',
      '?client_id=%ff%zz',
      `?${'a&'.repeat(5_000)}`,
      '?ui_locales=%22%3E',
    ]
    const batch = [
      { identification: 'email', login_id: 'maya@harborlight.example' },
      { authentication: 'primary_password', password },
    ]
    for (const cookie of cookies) {
      for (const query of queries) {
        const headers = { cookie, 'user-agent': 'x'.repeat(10_000), 'x-forwarded-for': '<script>' }
        const body = { type: 'login', name: 'default', batch_input: batch }
        const answer = await world.post(`${flowsPath}${query}`, body, { headers })
        expectSound(answer, [cookie, query])
        expect(answer.body.error).toMatchObject({ reason: 'InvariantViolated' })
      }
    }
  })

  it('of any form gets a documented answer', async () => {
    const token = await create('login')
    const body = fc.oneof(
      fc.json(),
      fc.record(
        {
          type: fc.constantFrom(
            'login',
            'signup',
            'signup_login',
            'account_recovery',
            'promote',
            'x',
          ),
          name: fc.constantFrom('default', 'profile', ''),
          state_token: fc.constantFrom(token, 'x'),
          input: fc.dictionary(fc.constantFrom(...members), fc.jsonValue()),
          batch_input: fc.array(fc.dictionary(fc.constantFrom(...members), fc.jsonValue())),
        },
        { requiredKeys: [] },
      ),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(flowsPath, inputPath, statesPath, approvePath),
        body,
        async (path, sent) => {
          expectSound(await world.post(path, sent), sent)
        },
      ),
      { numRuns: runsOf(100) },
    )
  })
})
