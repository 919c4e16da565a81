import { describe, expect, it } from 'vitest'
import { isWide } from '../../../../../test-support/lane.ts'
import * as hooked from '../events/hook.fixture.ts'
import { askForCode, byCode, email, mayasHouse, phone } from '../maya.fixture.ts'
import { errorOf, stateOf, type TestAuth, type TestFlow, testAuth } from '../service.fixture.ts'

const day = 86_400_000

/** The address of a stranger, another one each time. */
const address = (number: number) => ({
  ip: `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`,
})

/** Whether a refused secret was compared. */
const isCompared = (reason: string): boolean =>
  ['InvalidCredentials', 'PasswordResetFailed'].includes(reason)

/** Guesses in a flow until it is refused. Returns how many were compared. */
async function guess(flow: TestFlow, input: object, most = 12): Promise<number> {
  let compared = 0
  while (compared < most && isCompared(errorOf(await flow.input({ ...input })).reason)) compared++
  return compared
}

/** How many guesses of strangers are compared in a day, if each round begins a flow from another address. */
async function guessesOfADay(
  { clock }: TestAuth,
  pauseMs: number,
  round: (number: number) => Promise<number>,
): Promise<number> {
  const end = clock.now() + day
  let compared = 0
  for (let number = 0; clock.now() < end; number++, clock.advance(pauseMs)) {
    compared += await round(number)
  }
  return compared
}

describe('the guesses of a day at the codes of one account', () => {
  const cases = [
    ['login', email, { code: '000000' }],
    ['account_recovery', phone, { account_recovery_code: '000000' }],
  ] as const
  const others = [
    ['login', phone, { code: '000000' }],
    ['account_recovery', email, { account_recovery_code: '000000' }],
  ] as const

  it.each(isWide ? [...cases, ...others] : cases)(
    'are at most a hundred, whatever codes a %s sends to %s',
    async (type, to, input) => {
      const world = await mayasHouse(byCode, { phone_number: phone })
      const compared = await guessesOfADay(world, 305_000, async (number) =>
        guess(await askForCode(world, type, address(number), to), input),
      )
      expect(compared).toBeGreaterThan(40)
      expect(compared).toBeLessThanOrEqual(100)
    },
  )

  it('are at most a hundred with TOTP, for somebody who knows the password', async () => {
    const world = testAuth()
    await hooked.importMaya(world, { totp: { secret: hooked.totpSecret } })
    const wrong = { authentication: 'secondary_totp', code: '0000000' }
    const compared = await guessesOfADay(world, 600_000, async () =>
      guess(await hooked.logInMaya(world), wrong),
    )
    expect(compared).toBeGreaterThan(50)
    expect(compared).toBeLessThanOrEqual(100)
  })
})

describe('a right code', () => {
  it('gives back what wrong ones have used up', async () => {
    const world = testAuth()
    await hooked.importMaya(world, { totp: { secret: hooked.totpSecret } })
    const wrong = { authentication: 'secondary_totp', code: '0000000' }
    const fill = async (most: number): Promise<number> => {
      let compared = 0
      for (let i = 0; i < most; i += 10, world.clock.advance(60_000)) {
        compared += await guess(await hooked.logInMaya(world), wrong, 10)
      }
      return compared
    }
    expect(await fill(40)).toBe(40)
    const flow = await hooked.logInMaya(world)
    stateOf(await flow.input({ ...wrong, code: hooked.totpNow(world) }))
    expect(await fill(60)).toBe(50)
  })

  it('that was used before costs nothing and gives nothing back', async () => {
    const limits = {
      oob_otp: { email: { validate_per_user: { enabled: true, period: '24h', burst: 2 } } },
    }
    const { authentication, ...others } = byCode
    const world = await mayasHouse({
      ...others,
      authentication: { ...Object(authentication), rate_limits: limits },
    })
    const flow = await askForCode(world, 'login')
    const [one, two] = [await askForCode(world, 'login'), await askForCode(world, 'login')]
    const code = world.codeTo(email)
    stateOf(await flow.input({ code }))
    expect(errorOf(await one.input({ code: '000000' })).reason).toBe('InvalidCredentials')
    for (let i = 0; i < 5; i++) {
      expect(errorOf(await two.input({ code })).reason).toBe('InvalidCredentials')
    }
    expect(errorOf(await one.input({ code: '000000' })).reason).toBe('InvalidCredentials')
    expect(errorOf(await one.input({ code: '000000' })).reason).toBe('RateLimited')
  })
})
