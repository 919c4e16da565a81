import { describe, expect, it } from 'vitest'
import { createUser } from '../people/create-user.ts'
import { testAuth } from '../service.fixture.ts'
import { createSession } from './create-session.ts'
import { requireFresh } from './require-fresh.ts'

const minute = 60_000

async function session(amr: readonly string[]) {
  const world = testAuth()
  const userId = await createUser(world.auth, { preferred_username: 'maya' })
  return { ...world, ...(await createSession(world.auth, userId, { amr })) }
}

describe('an operation that needs recent authentication', () => {
  it('is allowed for the given time after the user has authenticated', async () => {
    const { auth, clock, session: opened } = await session(['pwd'])
    clock.advance(10 * minute)
    expect(() => requireFresh(auth, opened, { maxAgeMs: 10 * minute })).not.toThrow()
    clock.advance(1)
    expect(() => requireFresh(auth, opened, { maxAgeMs: 10 * minute })).toThrow(
      expect.objectContaining({
        kind: 'Forbidden',
        reason: 'ReauthenticationRequired',
        info: { missing: [] },
      }),
    )
    expect(() => requireFresh(auth, opened, { maxAgeMs: Number.POSITIVE_INFINITY })).not.toThrow()
  })

  it('requires every given amr value within that time', async () => {
    const { auth, clock, session: opened } = await session(['mfa', 'otp', 'pwd'])
    clock.advance(20 * minute)
    const renewed = {
      ...opened,
      authenticated_at: clock.now(),
      amr_at: { ...opened.amr_at, otp: clock.now() },
    }
    const within = (amr: readonly string[]) => () =>
      requireFresh(auth, renewed, { maxAgeMs: 10 * minute, amr })
    expect(within(['otp'])).not.toThrow()
    expect(within(['mfa', 'otp', 'x_passkey'])).toThrow(
      expect.objectContaining({ info: { missing: ['mfa', 'x_passkey'] } }),
    )
    expect(() => requireFresh(auth, renewed, { maxAgeMs: 30 * minute, amr: ['mfa'] })).not.toThrow()
  })

  it('trusts sessions from before each amr value had a time', async () => {
    const { auth, session: opened } = await session(['pwd'])
    const { amr_at: _times, ...old } = opened
    expect(() => requireFresh(auth, old, { maxAgeMs: 0, amr: ['pwd'] })).not.toThrow()
    expect(() => requireFresh(auth, old, { maxAgeMs: 0, amr: ['toString'] })).toThrow()
  })

  it('refuses an invalid time', async () => {
    const { auth, session: opened } = await session([])
    for (const maxAgeMs of [-1, Number.NaN]) {
      expect(() => requireFresh(auth, opened, { maxAgeMs })).toThrow(
        expect.objectContaining({ reason: 'InvalidInput' }),
      )
    }
  })
})
