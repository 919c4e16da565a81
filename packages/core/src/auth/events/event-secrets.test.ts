import { expect, it } from 'vitest'
import type { FlowInput } from '../flow/view.ts'
import type { RequestContext } from '../flows/flow-result.ts'
import { startFlow, stateOf, type TestFlow } from '../service.fixture.ts'
import { type HookedAuth, hookedAuth, totpNow } from './hook.fixture.ts'
import { outboxCollection } from './outbox.ts'

/** All secrets that must not leak, as they come up. */
type Secrets = Set<string>

interface MarkedWorld extends HookedAuth {
  readonly secrets: Secrets
  readonly lines: string[]
}

function markedWorld(): MarkedWorld {
  const lines: string[] = []
  const log = (fields: object, message: string): void => {
    // As loggers write values: errors with their message and cause.
    const write = (_key: string, value: unknown): unknown =>
      value instanceof Error ? { text: String(value), ...value, cause: String(value.cause) } : value
    lines.push(message, JSON.stringify(fields, write))
  }
  const world = hookedAuth(
    { 'user.pre_create': { mutations: { user: { custom_attributes: { x_plan: 'free' } } } } },
    {
      authentication: {
        secondary_authenticators: ['totp', 'password', 'oob_otp_email'],
        secondary_authentication_mode: 'required',
        lockout: {
          max_attempts: 50,
          history_duration: '1h',
          minimum_duration: '1m',
          maximum_duration: '5m',
          lockout_type: 'per_user',
        },
      },
      bot_protection: {
        enabled: true,
        provider: { type: 'cloudflare' },
        requirements: { password: { mode: 'always' } },
      },
      ui: { forgot_password: { email: [{ channel: 'email', otp_form: 'code' }] } },
    },
    {
      logger: { debug: log, info: log, warn: log, error: log },
      botVerifier: {
        verify: async ({ response }) => {
          if (response.includes('away')) throw new Error('the provider is away')
          return response.includes('machine') ? 'failed' : 'passed'
        },
      },
    },
  )
  return { ...world, secrets: new Set<string>(), lines }
}

const secretNames = new Set([
  'password',
  'new_password',
  'code',
  'recovery_code',
  'account_recovery_code',
  'response',
  'secret',
  'otpauth_uri',
  'state_token',
  'recovery_codes',
  'value',
])

/** Records the secrets in an input or a result. */
function note(secrets: Secrets, value: unknown, name = ''): void {
  if (typeof value === 'string') {
    // A short secret may occur by chance, for example in an id.
    if (secretNames.has(name) && value.length >= 6) secrets.add(value)
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    note(secrets, member, Array.isArray(value) ? name : key)
  }
}

/** Sends inputs one after the other, valid or not, and records all secrets in them and their results. */
async function go(
  world: MarkedWorld,
  flow: TestFlow,
  ...inputs: readonly FlowInput[]
): Promise<void> {
  note(world.secrets, flow.last)
  for (const input of inputs) {
    note(world.secrets, input)
    note(world.secrets, await flow.input(input))
    await Promise.all(world.auth.sending)
    for (const { code, link } of world.outbox.messages) note(world.secrets, { code, link })
  }
}

const email = 'maya@harborlight.example'
const identify = { identification: 'email', login_id: email }
const bot = (response: string) => ({ bot_protection: { type: 'cloudflare', response } })

async function signUp(world: MarkedWorld): Promise<string> {
  const flow = await startFlow(world, 'signup')
  const setUp = { authentication: 'primary_password' }
  await go(world, flow, identify, { code: '000000000' })
  await go(world, flow, { code: world.codeTo(email) })
  await go(world, flow, { ...setUp, new_password: 'tidal' })
  await go(world, flow, { ...setUp, new_password: 'tidal-lantern-42' })
  await go(world, flow, { authentication: 'secondary_totp' })
  const { secret } = stateOf(flow.last).action.data
  await go(world, flow, { code: '12345678' }, { code: totpNow(world, String(secret)) })
  await go(world, flow, { confirm_recovery_code: true })
  expect(flow.last).toMatchObject({ ok: true, result: { action: { type: 'finished' } } })
  return String(secret)
}

async function logIn(
  world: MarkedWorld,
  request: RequestContext,
  ...factors: readonly FlowInput[]
): Promise<TestFlow> {
  const flow = await startFlow(world, 'login', request)
  const wrong = { authentication: 'primary_password', password: 'not-the-lantern' }
  const right = { authentication: 'primary_password', password: 'tidal-lantern-42' }
  await go(world, flow, { ...identify, login_id: 'nobody@harborlight.example' }, identify)
  await go(world, flow, { ...right, ...bot('response of a machine') })
  await go(world, flow, { ...right, ...bot('response that comes while the provider is away') })
  await go(world, flow, { ...wrong, ...bot('response of a person') }, wrong, right, ...factors)
  return flow
}

it('no event, hook request or log line contains a secret, whatever happens', async () => {
  const world = markedWorld()
  const secret = await signUp(world)
  const recoveryCodes = [...world.secrets].filter((text) => /^[0-9A-Z]{10}$/.test(text))
  expect(recoveryCodes).toHaveLength(16)

  world.clock.advance(60_000)
  const totp = { authentication: 'secondary_totp' }
  const trusted = await logIn(
    world,
    {},
    { ...totp, code: '98765432' },
    { ...totp, code: totpNow(world, secret), request_device_token: true },
  )
  expect(trusted.last).toMatchObject({ ok: true, result: { action: { type: 'finished' } } })
  const cookie = trusted.last.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  world.clock.advance(60_000)
  const again = await logIn(world, { cookie })
  expect(again.last).toMatchObject({ ok: true, result: { action: { type: 'finished' } } })
  const [recoveryCode = ''] = recoveryCodes
  const used = { authentication: 'recovery_code', recovery_code: recoveryCode }
  const wrong = { ...used, recovery_code: 'WRONGCODE0' }
  const lost = await logIn(world, {}, wrong, used)
  expect(lost.last).toMatchObject({ ok: true, result: { action: { type: 'finished' } } })

  const recovery = await startFlow(world, 'account_recovery')
  await go(world, recovery, identify, { index: 0 }, { account_recovery_code: '111111111' })
  await go(world, recovery, { account_recovery_code: world.codeTo(email) })
  await go(world, recovery, { new_password: 'short-1' }, { new_password: 'copper-meadow-7' })
  expect(recovery.last).toMatchObject({ ok: true, result: { action: { type: 'finished' } } })

  // A mail that cannot be sent, and too many wrong passwords.
  world.clock.advance(600_000)
  world.outbox.failNext(new Error('the mail server is away'))
  await go(world, await startFlow(world, 'signup'), {
    ...identify,
    login_id: 'lena@harborlight.example',
  })
  const guessing = await startFlow(world, 'login')
  await go(world, guessing, identify)
  for (let count = 0; count < 20; count++) {
    const guess = { authentication: 'primary_password', password: `guess-number-${count}` }
    await go(world, guessing, { ...guess, ...bot('response of a person who guesses') })
  }

  const records = await world.storage.find(outboxCollection, { by: 'id', limit: 1_000 })
  const events = records.map(({ value }) => Object(value).event)
  const seen = [JSON.stringify(events), JSON.stringify(world.asked), ...world.lines].join('\n')
  const leaked = [...world.secrets].filter((one) => seen.includes(one))
  expect(leaked).toEqual([])
  expect(world.secrets.size).toBeGreaterThan(80)
  const types = new Set(events.map(({ type }) => type))
  expect([...types].sort()).toEqual([
    'authentication.identity.login_id.failed',
    'authentication.primary.password.failed',
    'authentication.secondary.recovery_code.failed',
    'authentication.secondary.totp.failed',
    'bot_protection.verification.failed',
    'email.error',
    'email.sent',
    'identity.email.verified',
    'password.primary.reset',
    'rate_limit.blocked',
    'user.authenticated',
    'user.created',
  ])
  expect(seen).toContain(email)
})
