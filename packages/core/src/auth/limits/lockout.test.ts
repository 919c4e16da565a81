import { describe, expect, it } from 'vitest'
import type { LockoutRecord } from '../accounts/lockout-record.ts'
import type { LockoutConfig } from '../config/config.ts'
import { countFailure, forgiveAddress, lockedUntil } from './lockout.ts'

const minute = 60_000
const start = Date.UTC(2026, 2, 4, 10)

const perUser: LockoutConfig = {
  max_attempts: 3,
  history_duration_ms: 60 * minute,
  minimum_duration_ms: minute,
  maximum_duration_ms: 5 * minute,
  backoff_factor: 2,
  lockout_type: 'per_user',
  password: { enabled: true },
  totp: { enabled: true },
  oob_otp: { enabled: true },
  recovery_code: { enabled: true },
}
const perAddress: LockoutConfig = { ...perUser, lockout_type: 'per_user_per_ip' }

/** Fails once from each address. Returns the record, and for each failure the length of the lock in minutes. */
function fail(
  config: LockoutConfig,
  ips: readonly string[],
  stored?: LockoutRecord,
  now: number = start,
): { readonly record: LockoutRecord | undefined; readonly locks: readonly (number | null)[] } {
  let record = stored
  const locks = ips.map((ip) => {
    const counted = countFailure(record, config, ip, now)
    record = counted.record
    return counted.until === undefined ? null : (counted.until - now) / minute
  })
  return { record, locks }
}

describe('an account', () => {
  it('is locked by the failure that reaches the limit, and longer by each further one', () => {
    const ips = Array.from({ length: 7 }, () => '192.0.2.1')
    expect(fail(perUser, ips).locks).toEqual([null, null, 1, 2, 4, 5, 5])
  })

  it('is locked by failures from any address, and for all addresses', () => {
    const { record, locks } = fail(perUser, ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
    expect(locks).toEqual([null, null, 1])
    expect(lockedUntil(record, perUser, '198.51.100.1', start)).toBe(start + minute)
  })

  it('is locked until the end of the lock, exclusively', () => {
    const { record } = fail(perUser, ['a', 'a', 'a'])
    expect(lockedUntil(record, perUser, 'a', start + minute - 1)).toBe(start + minute)
    expect(lockedUntil(record, perUser, 'a', start + minute)).toBeUndefined()
  })

  it('without failures is not locked', () => {
    expect(lockedUntil(undefined, perUser, 'a', start)).toBeUndefined()
  })
})

describe('an address', () => {
  it('is locked out only by its own failures', () => {
    const { record, locks } = fail(perAddress, ['a', 'b', 'a', 'b', 'a'])
    expect(locks).toEqual([null, null, null, null, 1])
    expect(lockedUntil(record, perAddress, 'a', start)).toBe(start + minute)
    expect(lockedUntil(record, perAddress, 'b', start)).toBeUndefined()
  })

  it('may have a name that every object has', () => {
    for (const ip of ['constructor', '__proto__', 'toString']) {
      const { record, locks } = fail(perAddress, [ip, ip, ip])
      expect(locks).toEqual([null, null, 1])
      expect(lockedUntil(record, perAddress, ip, start)).toBe(start + minute)
      expect(lockedUntil(record, perAddress, 'valueOf', start)).toBeUndefined()
    }
  })

  it('stays locked out when another one fails once and the history is short', () => {
    const short = { ...perAddress, history_duration_ms: minute, minimum_duration_ms: 5 * minute }
    const { record } = fail(short, ['a', 'a', 'a'])
    const later = countFailure(record, short, 'b', start + 1_000)
    expect(later.until).toBeUndefined()
    expect(later.expiresAt).toBeGreaterThanOrEqual(start + 5 * minute)
  })
})

describe('the record of failures', () => {
  it('is kept for the history after the last one, and at least as long as the lock', () => {
    expect(countFailure(undefined, perUser, 'a', start).expiresAt).toBe(start + 60 * minute)
    const short = { ...perUser, history_duration_ms: 1, max_attempts: 1 }
    expect(countFailure(undefined, short, 'a', start).expiresAt).toBe(start + minute)
  })

  it('counts at most a thousand addresses separately, and all failures in the total', () => {
    const ips = Array.from({ length: 1_200 }, (_, index) => `192.0.2.${index}`)
    const { record } = fail({ ...perUser, max_attempts: 10_000 }, ips)
    expect(Object.keys(record?.attempts ?? {})).toHaveLength(1_000)
    expect(record?.total).toBe(1_200)
  })

  it('drops ended locks', () => {
    const strict = { ...perAddress, max_attempts: 1 }
    let record: LockoutRecord | undefined
    for (let index = 0; index < 100; index++) {
      record = countFailure(record, strict, `192.0.2.${index}`, start + index * minute).record
    }
    expect(Object.keys(record?.locked_until ?? {})).toHaveLength(1)
  })
})

describe('a successful authentication', () => {
  it('forgives the failures of its address, and not those of others', () => {
    const { record } = fail(perUser, ['a', 'b'])
    expect(record && forgiveAddress(record, 'a', start)).toEqual({
      total: 1,
      attempts: { b: 1 },
      locked_until: {},
    })
  })

  it('removes the record if no other failures are left', () => {
    const { record } = fail(perUser, ['a', 'a'])
    expect(record && forgiveAddress(record, 'a', start)).toBeUndefined()
  })

  it('does not end a lock', () => {
    const { record } = fail(perAddress, ['b', 'b', 'b'])
    const left = record && forgiveAddress(record, 'a', start)
    expect(lockedUntil(left, perAddress, 'b', start)).toBe(start + minute)
    expect(record && forgiveAddress(record, 'b', start)).toMatchObject({ total: 0, attempts: {} })
    expect(record && forgiveAddress(record, 'b', start + minute)).toBeUndefined()
  })
})
