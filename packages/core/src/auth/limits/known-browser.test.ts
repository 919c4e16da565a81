import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../crypto/crypto.ts'
import { deviceTokenCollection } from '../accounts/device-token-record.ts'
import { createFlow } from '../flows/create-flow.ts'
import type { FlowResult } from '../flows/flow-result.ts'
import { createUser } from '../people/create-user.ts'
import { getLockout } from '../people/lockouts.ts'
import {
  type ConfigDelta,
  errorOf,
  startFlow,
  stateOf,
  type TestAuth,
  testAuth,
} from '../service.fixture.ts'
import { createSession } from '../sessions/create-session.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'

interface House extends TestAuth {
  readonly id: string
  /** The cookie of a browser in which Maya is signed in. */
  readonly cookie: string
  /** That of a browser that she trusts. */
  readonly device: string
}

async function house(delta: ConfigDelta = {}): Promise<House> {
  const world = testAuth(delta)
  const id = await createUser(world.auth, { email, password })
  const { token } = await createSession(world.auth, id)
  const device = { user_id: id, created_at: world.clock.now() }
  await world.storage.commit([deviceTokenCollection.write(sha256Hex('d'.repeat(32)), device)])
  return { ...world, id, cookie: `session=${token}`, device: `mfa_device_token=${'d'.repeat(32)}` }
}

const login = ({ auth }: TestAuth, text: string, request = {}): Promise<FlowResult> =>
  createFlow(
    auth,
    {
      type: 'login',
      name: 'default',
      batch_input: [
        { identification: 'email', login_id: email },
        { authentication: 'primary_password', password: text },
      ],
    },
    request,
  )

/** Wrong passwords of strangers, each from another address. */
async function strangers(world: TestAuth, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await login(world, 'wrong', { ip: `10.0.${i}.1` })
}

describe('strangers who use up the attempts of an account', () => {
  it('do not keep out a browser in which its user is signed in, or that the user trusts', async () => {
    const world = await house()
    const { cookie, device } = world
    await strangers(world, 60)
    const ip = '192.0.2.1'
    expect(errorOf(await login(world, password, { ip }))).toMatchObject({
      info: { bucket_name: 'VerifyPasswordPerUser' },
    })
    expect((await login(world, password, { ip, cookie: device })).ok).toBe(true)
    expect((await login(world, password, { ip, cookie })).ok).toBe(true)
  })

  it('do keep out a browser of somebody else, and one with a forged cookie', async () => {
    const world = await house()
    const other = await createUser(world.auth, { email: 'tom@harborlight.example', password })
    const { token } = await createSession(world.auth, other)
    await strangers(world, 60)
    const [id = ''] = world.cookie.split('.')
    for (const cookie of [`session=${token}`, `${id}.${'x'.repeat(43)}`, 'mfa_device_token=x']) {
      expect(errorOf(await login(world, password, { cookie })).reason).toBe('RateLimited')
    }
  })

  it('leave a known browser a bounded number of guesses', async () => {
    const world = await house()
    await strangers(world, 60)
    const reasons: string[] = []
    for (let i = 0; i < 52; i++) {
      const request = { ip: `10.1.${i}.1`, cookie: world.cookie }
      reasons.push(errorOf(await login(world, 'wrong', request)).reason)
    }
    expect(reasons.filter((one) => one === 'InvalidCredentials')).toHaveLength(50)
    expect((await login(world, password, { cookie: world.device })).ok).toBe(true)
  })

  it('do not undo a recovery, which gives the attempts back', async () => {
    const world = await house()
    await strangers(world, 60)
    const flow = await startFlow(world, 'account_recovery')
    await flow.input({ identification: 'email', login_id: email })
    stateOf(await flow.input({ index: 0 }))
    await Promise.all(world.auth.sending)
    await flow.input({ account_recovery_code: world.codeTo(email) })
    stateOf(await flow.input({ new_password: 'copper-meadow-7' }))
    expect((await login(world, 'copper-meadow-7')).ok).toBe(true)
  })
})

describe('a lockout of the whole account', () => {
  const lockout = {
    max_attempts: 3,
    history_duration: '1h',
    minimum_duration: '10m',
    maximum_duration: '1h',
    backoff_factor: 2,
    lockout_type: 'per_user',
    password: { enabled: true },
  }

  it('by strangers leaves a known browser in, which has a lock of its own', async () => {
    const world = await house({ authentication: { lockout } })
    await strangers(world, 3)
    expect(errorOf(await login(world, password)).reason).toBe('AccountLockout')
    const known = { cookie: world.device }
    expect((await login(world, password, known)).ok).toBe(true)
    const reasons: string[] = []
    for (let i = 0; i < 4; i++) reasons.push(errorOf(await login(world, 'wrong', known)).reason)
    expect(reasons).toEqual([
      'InvalidCredentials',
      'InvalidCredentials',
      'AccountLockout',
      'AccountLockout',
    ])
    expect((await getLockout(world.auth, world.id)).addresses).toEqual([])
  })
})
