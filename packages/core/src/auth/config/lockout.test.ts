import { describe, expect, it } from 'vitest'
import { codesIn, configWith } from './config.fixture.ts'
import type { LockoutConfig } from './config.ts'

const least = {
  max_attempts: 6,
  history_duration: '1h',
  minimum_duration: '1m',
  maximum_duration: '5m',
  lockout_type: 'per_user',
}
const read = (lockout: object): LockoutConfig | undefined =>
  configWith({ authentication: { lockout } }).authentication.lockout

describe('the lockout', () => {
  it('is off without max_attempts', () => {
    expect(configWith().authentication.lockout).toBeUndefined()
    expect(read({})).toBeUndefined()
    expect(read({ max_attempts: 0 })).toBeUndefined()
    const { max_attempts: _, ...rest } = least
    const config = configWith({ authentication: { lockout: rest } })
    expect(config.authentication.lockout).toBeUndefined()
    expect(config.warnings).toEqual(['authentication.lockout: is off without max_attempts'])
  })

  it('is of all methods if none is named, else of those that are', () => {
    const [on, off] = [{ enabled: true }, { enabled: false }]
    expect(read(least)).toEqual({
      max_attempts: 6,
      history_duration_ms: 3_600_000,
      minimum_duration_ms: 60_000,
      maximum_duration_ms: 300_000,
      backoff_factor: 1,
      lockout_type: 'per_user',
      password: on,
      totp: on,
      oob_otp: on,
      recovery_code: on,
    })
    const named = { ...least, backoff_factor: 1.5, password: on, totp: off }
    expect(read(named)).toMatchObject({
      backoff_factor: 1.5,
      password: on,
      totp: off,
      oob_otp: off,
      recovery_code: off,
    })
    expect(configWith({ authentication: { lockout: { ...least, totp: off } } }).warnings).toEqual([
      'authentication.lockout: is enabled for no method',
    ])
  })

  it('needs everything else that it counts and locks by', () => {
    expect(codesIn({ authentication: { lockout: { max_attempts: 3 } } })).toEqual([
      'authentication.lockout.history_duration required',
      'authentication.lockout.minimum_duration required',
      'authentication.lockout.maximum_duration required',
      'authentication.lockout.lockout_type required',
    ])
  })

  it('does not grow smaller, nor beyond its own maximum', () => {
    const wrong = { ...least, minimum_duration: '10m', backoff_factor: 0.5, max_attempts: -1 }
    expect(codesIn({ authentication: { lockout: wrong } })).toEqual([
      'authentication.lockout.max_attempts out_of_range',
      'authentication.lockout.backoff_factor out_of_range',
    ])
    expect(codesIn({ authentication: { lockout: { ...least, minimum_duration: '10m' } } })).toEqual(
      ['authentication.lockout.maximum_duration conflict'],
    )
  })
})
