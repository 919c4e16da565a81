import { describe, expect, it } from 'vitest'
import {
  errorOf,
  startFlow,
  stateOf,
  type TestAuth,
  type TestFlow,
  testAuth,
} from '../../service.fixture.ts'
import { createUser } from '../../users/create-user.ts'

const email = 'maya@harborlight.example'

async function ask(world: TestAuth, ip: string): Promise<TestFlow> {
  const flow = await startFlow(world, 'login', { ip })
  await flow.input({ identification: 'email', login_id: email })
  stateOf(await flow.input({ authentication: 'primary_oob_otp_email', index: 0 }))
  await Promise.all(world.auth.sending)
  return flow
}

describe('a code in the flow that it was sent for', () => {
  it('is accepted whatever strangers have tried in flows of their own', async () => {
    const world = testAuth({ authentication: { primary_authenticators: ['oob_otp_email'] } })
    await createUser(world.auth, { email })
    for (let round = 0; round < 30; round++) {
      const flow = await ask(world, '192.0.2.1')
      const stranger = await ask(world, `10.0.${round}.1`)
      for (let i = 0; i < 11; i++) await stranger.input({ code: '000000' })
      expect(errorOf(await stranger.input({ code: '000001' })).reason).toBe('RateLimited')
      expect(stateOf(await flow.input({ code: world.codeTo(email) })).action.type).toBe('finished')
      world.clock.advance(61_000)
    }
  })

  it('is revoked by wrong codes in that flow', async () => {
    const world = testAuth({ authentication: { primary_authenticators: ['oob_otp_email'] } })
    await createUser(world.auth, { email })
    const flow = await ask(world, '192.0.2.1')
    for (let i = 0; i < 10; i++) await flow.input({ code: '000000' })
    expect(errorOf(await flow.input({ code: world.codeTo(email) })).reason).toBe('RateLimited')
  })
})
