import {
  built,
  checked,
  flag,
  integer,
  mapping,
  noted,
  oneOf,
  optional,
  parsed,
  type Schema,
  withDefault,
  wrongType,
} from '../../document/schema.ts'
import type { LockoutConfig } from './config.ts'
import { duration } from './values.ts'

const method = mapping(
  { enabled: withDefault(flag, false, 'Whether its failures count.') },
  { title: 'WrittenMethod' },
)
const methodKey = (what: string): Schema<LockoutConfig['password'] | undefined> =>
  optional(method, `Whether failures with ${what} count. Without any of the methods all count.`)

/** Every second lock lasts as long as a lock may with this one already. */
const steepest = 1_000

const backoffFactor = built(
  noted(
    parsed({ type: 'number', minimum: 1 }, (given, report): number | undefined => {
      if (typeof given !== 'number') return report('wrong_type', wrongType(given, 'a number'))
      return given >= 1 ? given : report('out_of_range', 'must be at least 1')
    }),
    (given) =>
      given > steepest ? `is more than ${steepest}: it counts as ${steepest}` : undefined,
  ),
  (given) => Math.min(given, steepest),
)

/** The settings of an enabled lockout. */
const needed = ['history_duration', 'minimum_duration', 'maximum_duration', 'lockout_type'] as const
const methods = ['password', 'totp', 'oob_otp', 'recovery_code'] as const

const written = checked(
  mapping({
    max_attempts: optional(
      integer(0),
      'How many failures lock an account; 0 for any number. Default: unlimited.',
    ),
    history_duration: optional(duration(), 'How long failures count. `max_attempts` needs it.'),
    minimum_duration: optional(
      duration(),
      'How long the first lock lasts. `max_attempts` needs it.',
    ),
    maximum_duration: optional(
      duration(),
      'How long a lock lasts at most. `max_attempts` needs it.',
    ),
    backoff_factor: optional(
      backoffFactor,
      'By how much each lock is longer than the one before. Default: 1.',
    ),
    lockout_type: optional(
      oneOf('per_user', 'per_user_per_ip'),
      'Whose failures are counted together. `max_attempts` needs it.',
    ),
    password: methodKey('a password'),
    totp: methodKey('TOTP'),
    oob_otp: methodKey('codes by message'),
    recovery_code: methodKey('recovery codes'),
  }),
  ({ value, isBroken, report, warn }) => {
    const { max_attempts: attempts, minimum_duration: least, maximum_duration: most } = value
    if (attempts === undefined && !isBroken('max_attempts') && Object.keys(value).length > 0) {
      warn([], 'is off without max_attempts')
    }
    if (attempts === undefined || attempts === 0) return
    for (const key of needed) {
      if (value[key] !== undefined || isBroken(key)) continue
      report([key], 'required', 'is missing: max_attempts needs it')
    }
    if (least !== undefined && most !== undefined && least > most) {
      report(['maximum_duration'], 'conflict', 'must not be shorter than minimum_duration')
    }
    const isOpen = methods.every((name) => value[name] === undefined)
    if (!isOpen && methods.every((name) => value[name]?.enabled !== true)) {
      warn([], 'is enabled for no method')
    }
  },
)

/**
 * When accounts are locked; nothing without `max_attempts`. If no method is named at all, all count, since a lockout of
 * nothing cannot have been meant; else those that are not named do not.
 */
export const lockout: Schema<LockoutConfig | undefined> = built(written, (given) => {
  const { max_attempts: attempts = 0, backoff_factor = 1 } = given
  const { history_duration, minimum_duration, maximum_duration, lockout_type } = given
  if (attempts === 0 || history_duration === undefined || lockout_type === undefined) {
    return undefined
  }
  if (minimum_duration === undefined || maximum_duration === undefined) return undefined
  const usual = { enabled: methods.every((name) => given[name] === undefined) }
  return {
    max_attempts: attempts,
    history_duration_ms: history_duration,
    minimum_duration_ms: minimum_duration,
    maximum_duration_ms: maximum_duration,
    backoff_factor,
    lockout_type,
    password: given.password ?? usual,
    totp: given.totp ?? usual,
    oob_otp: given.oob_otp ?? usual,
    recovery_code: given.recovery_code ?? usual,
  }
})
