import { describe, expect, it } from 'vitest'
import type { FlowResult } from '../flows/flow-result.ts'
import { totpCode } from '../kinds/totp/totp.ts'
import { importUsers } from '../people/import-users.ts'
import { errorOf, startFlow, stateOf, type TestAuth, testAuth } from '../service.fixture.ts'
import { decodeBase32 } from './base32.ts'

const email = 'maya@harborlight.example'
const password = 'tidal-lantern-42'
const secret = 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN'
const old = { id: 'k1', key: 'test key of at least thirty-two bytes' }
const next = { id: 'k2', key: 'another key, of at least thirty-two bytes' }

/** The same service with other keys. */
const under = (world: TestAuth, ...secrets: readonly (typeof old)[]): TestAuth =>
  testAuth({}, { storage: world.storage, clock: world.clock, secrets })

async function login(
  world: TestAuth,
  inputs: readonly { [name: string]: string }[],
): Promise<FlowResult> {
  const flow = await startFlow(world, 'login')
  await flow.input({ identification: 'email', login_id: email })
  await flow.input({ authentication: 'primary_password', password })
  for (const input of inputs) await flow.input(input)
  return flow.last
}

const codeNow = ({ clock }: TestAuth): string =>
  totpCode(decodeBase32(secret) ?? new Uint8Array(), Math.floor(clock.now() / 30_000))

describe('a replaced key', () => {
  it('is no longer needed for the app of a user who has signed in since', async () => {
    const world = testAuth({}, { secrets: [old] })
    const hash = await world.auth.hasher.hash(password)
    await importUsers(world.auth, [
      { email, password: { type: 'scrypt', password_hash: hash }, mfa: { totp: { secret } } },
    ])
    for (const secrets of [[next, old], [next]]) {
      world.clock.advance(60_000)
      const now = under(world, ...secrets)
      const code = { authentication: 'secondary_totp', code: codeNow(world) }
      expect(stateOf(await login(now, [code])).action.type).toBe('finished')
    }
  })

  it('still opens flows that began with it', async () => {
    const world = testAuth({}, { secrets: [old] })
    const flow = await startFlow(world, 'signup')
    const both = under(world, next, old)
    const resumed = await startFlow(both, 'signup')
    stateOf(await resumed.input({ identification: 'email', login_id: email }, flow.token))
  })

  it('ends the flows that began with it once it is removed', async () => {
    const world = testAuth({}, { secrets: [old] })
    const flow = await startFlow(world, 'signup')
    const resumed = await startFlow(under(world, next), 'signup')
    const late = await resumed.input({ identification: 'email', login_id: email }, flow.token)
    expect(errorOf(late).reason).toBe('AuthenticationFlowNotFound')
  })
})

describe('recovery codes', () => {
  it('made with an earlier key are accepted as long as the key is present', async () => {
    const required = { authentication: { secondary_authentication_mode: 'required' } }
    const world = testAuth(required, { secrets: [old] })
    const signup = await startFlow(world, 'signup')
    await signup.input({ identification: 'email', login_id: email })
    await signup.input({ code: world.codeTo(email) })
    await signup.input({ authentication: 'primary_password', new_password: password })
    const set = stateOf(await signup.input({ authentication: 'secondary_totp' }))
    const key = decodeBase32(String(set.action.data.secret)) ?? new Uint8Array()
    const code = totpCode(key, Math.floor(world.clock.now() / 30_000))
    const view = stateOf(await signup.input({ code }))
    const [first = '', second = ''] = view.action.data.recovery_codes as readonly string[]
    await signup.input({ confirm_recovery_code: true })

    const show = (text: string) => [{ authentication: 'recovery_code', recovery_code: text }]
    const good = await login(under(world, next, old), show(first))
    expect(stateOf(good).action.type).toBe('finished')
    const late = await login(under(world, next), show(second))
    expect(errorOf(late).reason).toBe('InvalidCredentials')
  })
})
