import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWide, runsOf } from '../../../../test-support/lane.ts'
import type { FlowInput } from './flow/view.ts'
import { totpCode } from './kinds/totp/totp.ts'
import { decodeBase32 } from './secrets/base32.ts'
import {
  type ConfigDelta,
  startFlow,
  stateOf,
  type TestAuth,
  type TestState,
  testAuth,
} from './service.fixture.ts'
import { resolveSessionToken } from './sessions/resolve-session.ts'

/** Configurations in which a second factor is required. */
const configs = fc
  .record({
    keys: fc.shuffledSubarray(['email', 'phone', 'username'], { minLength: 1 }),
    primary: fc.shuffledSubarray(['password', 'oob_otp_email', 'oob_otp_sms'], { minLength: 1 }),
    secondary: fc.shuffledSubarray(['password', 'totp', 'oob_otp_email', 'oob_otp_sms'], {
      minLength: 1,
    }),
    hasRecoveryCodes: fc.boolean(),
    hasDeviceTokens: fc.boolean(),
    isVerified: fc.boolean(),
  })
  .map(
    (made): ConfigDelta => ({
      authentication: {
        primary_authenticators: made.primary,
        secondary_authenticators: made.secondary,
        secondary_authentication_mode: 'required',
        recovery_code: { disabled: !made.hasRecoveryCodes },
        device_token: { disabled: !made.hasDeviceTokens },
      },
      identity: { login_id: { keys: made.keys.map((type) => ({ type })) } },
      verification: { claims: { email: { required: made.isVerified } } },
    }),
  )

/** AMR values of a session that show a second factor. */
const secondReference = /^x_(secondary_|recovery_code$|device_token$)/

describe('where a second factor is required', () => {
  it('no sign-up and no login after it ends without one', async () => {
    const runs = runsOf(150)
    let finished = 0
    const numbers = fc.infiniteStream(fc.nat({ max: 1_000 }))
    await fc.assert(
      fc.asyncProperty(configs, numbers, async (delta, stream) => {
        const choose = <T>(list: readonly T[]): T | undefined =>
          list[(stream.next().value ?? 0) % list.length]
        const person = new Person(testAuth(delta), choose)
        for (const type of ['signup', 'login', 'login'] as const) {
          const amr = await person.goThrough(type)
          if (amr === undefined) return
          finished++
          expect(amr).toEqual(expect.arrayContaining([expect.stringMatching(secondReference)]))
          const isTrusted = amr.includes('x_device_token')
          const hasFirst = amr.some((name) => name.startsWith('x_primary_'))
          if (hasFirst && !isTrusted) expect(amr).toContain('mfa')
        }
      }),
      // The same inputs in each run of the unit lane, so that the count below does not depend on chance.
      { numRuns: runs, ...(isWide ? {} : { seed: 1 }) },
    )
    expect(finished).toBeGreaterThan(runs / 2)
  })
})

type Option = { readonly [name: string]: unknown }

/** A user who takes any path, and remembers every secret received. */
class Person {
  readonly #world: TestAuth
  readonly #choose: <T>(list: readonly T[]) => T | undefined
  readonly #loginIds: Readonly<Record<string, string>> = {
    email: 'maya@harborlight.example',
    phone: '+6591234567',
    username: 'maya',
  }
  #totpSecret = ''
  #recoveryCodes: string[] = []
  #cookie = ''

  constructor(world: TestAuth, choose: <T>(list: readonly T[]) => T | undefined) {
    this.#world = world
    this.#choose = choose
  }

  /** The AMR of the session at the end; `undefined` if the path ends before. */
  async goThrough(type: 'signup' | 'login'): Promise<readonly string[] | undefined> {
    const flow = await startFlow(this.#world, type, { cookie: this.#cookie })
    for (let turn = 0; turn < 15; turn++) {
      const { last } = flow
      if (!last.ok) return undefined
      const { action } = stateOf(last)
      if (action.type === 'finished') {
        const token = last.cookies.find(({ name }) => name === 'session')?.value ?? ''
        return (await resolveSessionToken(this.#world.auth, token))?.amr
      }
      // Past the cooldown of codes, and past the time step of the last TOTP code.
      this.#world.clock.advance(61_000)
      const input = this.#answer(action)
      if (input === undefined) return undefined
      const result = await flow.input(input)
      const device = result.cookies.find(({ name }) => name === 'mfa_device_token')
      if (device !== undefined) this.#cookie = `mfa_device_token=${device.value}`
    }
    return undefined
  }

  #answer({ type, data }: TestState['action']): FlowInput | undefined {
    const options = (data.options ?? []) as readonly Option[]
    const option = this.#choose(options) ?? {}
    const index = options.indexOf(option)
    switch (data.type) {
      case 'identification_data': {
        const identification = String(option.identification)
        return { identification, login_id: this.#loginIds[identification] ?? '' }
      }
      case 'authentication_data':
        return this.#show(option, index, data.device_token_enabled === true)
      case 'create_authenticator_data':
        return this.#create(option)
      case 'select_oob_otp_channels_data':
        return { channel: this.#choose(data.channels as readonly string[]) ?? '' }
      case 'verify_oob_otp_data': {
        const { resend, code } = this.#codeFor(String(data.masked_claim_value))
        return resend ? { resend } : { code }
      }
      case 'create_totp_data':
        this.#totpSecret = String(data.secret)
        return { code: this.#totp() }
      case 'view_recovery_code_data':
        this.#recoveryCodes = [...(data.recovery_codes as readonly string[])]
        return { confirm_recovery_code: true }
      default:
        throw new Error(`no answer is known to ${type} ${String(data.type)}`)
    }
  }

  #show({ authentication, channels }: Option, index: number, trusts: boolean): FlowInput {
    const name = String(authentication)
    const wish = trusts && this.#choose([true, false]) ? { request_device_token: true } : {}
    if (name.endsWith('_password')) {
      return { authentication: name, password: `${name} of Maya`, ...wish }
    }
    if (name === 'secondary_totp') return { authentication: name, code: this.#totp(), ...wish }
    if (name === 'recovery_code') {
      return { authentication: name, recovery_code: this.#recoveryCodes.pop() ?? '', ...wish }
    }
    const channel = this.#choose((channels ?? []) as readonly string[]) ?? ''
    return { authentication: name, index, channel, ...wish }
  }

  #create({ authentication, target }: Option): FlowInput {
    const name = String(authentication)
    if (name.endsWith('_password')) {
      return { authentication: name, new_password: `${name} of Maya` }
    }
    if (name === 'secondary_totp' || target !== undefined) return { authentication: name }
    const { email = '', phone = '' } = this.#loginIds
    return { authentication: name, target: name.endsWith('_email') ? email : phone }
  }

  /** The newest code sent to an address, or a request for a new one if that was used. */
  #codeFor(masked: string): { resend: true; code: '' } | { resend: undefined; code: string } {
    const target = masked.startsWith('+') ? this.#loginIds.phone : this.#loginIds.email
    const sent = this.#world.outbox.messages.findLast((one) => one.target === target)
    if (sent?.code === undefined || this.#used.has(sent.code)) {
      return { resend: true, code: '' }
    }
    this.#used.add(sent.code)
    return { resend: undefined, code: sent.code }
  }
  readonly #used = new Set<string>()

  #totp(): string {
    const key = decodeBase32(this.#totpSecret) ?? new Uint8Array()
    return totpCode(key, Math.floor(this.#world.clock.now() / 30_000))
  }
}
