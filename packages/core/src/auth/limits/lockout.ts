import type { GatehouseError } from '../../errors.ts'
import type { Instant } from '../../time/clock.ts'
import type { LockoutRecord } from '../accounts/lockout-record.ts'
import type { LockoutConfig } from '../config/config.ts'
import { authError } from '../errors.ts'

const none: LockoutRecord = { total: 0, attempts: {}, locked_until: {} }

/** Failures of this many addresses are counted separately; those of others only in the total. */
const maxAddresses = 1_000

/** The key of a browser that is known to the user. It has a lock of its own, which strangers cannot cause. */
export const lockOfBrowser = (browser: string): string => `${browserMark}${browser}`
const browserMark = 'browser '
const isBrowser = (place: string): boolean => place.startsWith(browserMark)

/** Whether the key of a lock is an address. */
export const isAddress = (place: string): boolean => place !== '' && !isBrowser(place)

/** The key of the lock that applies to an address or a browser. */
const lockOf = ({ lockout_type }: LockoutConfig, ip: string): string =>
  lockout_type === 'per_user' && !isBrowser(ip) ? '' : ip

/** The end of the lock of an account; `undefined` if it is not locked. */
export function lockedUntil(
  record: LockoutRecord | undefined,
  config: LockoutConfig,
  ip: string,
  now: Instant,
): Instant | undefined {
  const locks = record?.locked_until ?? {}
  const lock = lockOf(config, ip)
  const until = Object.hasOwn(locks, lock) ? locks[lock] : undefined
  return until !== undefined && now < until ? until : undefined
}

/** Counts one more failure. Returns the record, its expiry, and the end of the lock that the failure causes. */
export function countFailure(
  stored: LockoutRecord | undefined,
  config: LockoutConfig,
  ip: string,
  now: Instant,
): {
  readonly record: LockoutRecord
  readonly expiresAt: Instant
  readonly until: Instant | undefined
} {
  const record = stored ?? none
  const known = Object.hasOwn(record.attempts, ip) ? (record.attempts[ip] ?? 0) : undefined
  const isCounted =
    known !== undefined || isBrowser(ip) || Object.keys(record.attempts).length < maxAddresses
  const attempts = isCounted ? { ...record.attempts, [ip]: (known ?? 0) + 1 } : record.attempts
  const total = record.total + 1
  const count = lockOf(config, ip) === '' ? total : (known ?? 0) + 1
  const until =
    count < config.max_attempts ? undefined : now + lockMs(config, count - config.max_attempts)
  // Drop ended locks, because every address may have one.
  const locks = Object.entries(record.locked_until).filter(([, end]) => now < end)
  if (until !== undefined) locks.push([lockOf(config, ip), until])
  const expiresAt = locks.reduce(
    (last, [, end]) => Math.max(last, end),
    now + config.history_duration_ms,
  )
  return { record: { total, attempts, locked_until: Object.fromEntries(locks) }, expiresAt, until }
}

function lockMs(config: LockoutConfig, beyond: number): number {
  const grown = config.minimum_duration_ms * config.backoff_factor ** beyond
  return Math.min(grown, config.maximum_duration_ms)
}

/** The record after a successful authentication from an address or a browser; `undefined` if nothing is left of it. */
export function forgiveAddress(
  record: LockoutRecord,
  ip: string,
  now: Instant,
): LockoutRecord | undefined {
  const { [ip]: own = 0, ...attempts } = record.attempts
  const total = Math.max(0, record.total - own)
  const inForce = Object.values(record.locked_until).some((until) => now < until)
  return total === 0 && !inForce ? undefined : { ...record, total, attempts }
}

/** The error for too many failed attempts. */
export const accountLocked = (until: Instant, now: Instant): GatehouseError =>
  authError('TooManyRequest', 'AccountLockout', 'account locked', {
    until: new Date(until).toISOString().replace('.000Z', 'Z'),
    retryAfterSeconds: Math.max(1, Math.ceil((until - now) / 1_000)),
  })
