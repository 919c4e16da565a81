import { mappingOf, sectionOf } from '../../document/fields.ts'
import {
  type Decode,
  findMember,
  memberOrSelf,
  type Place,
  report,
  warn,
} from '../../document/place.ts'
import { flag, integer, oneOf } from '../../document/values.ts'
import type { LockoutConfig } from './config.ts'
import { decimal, duration } from './values.ts'

type Method = LockoutConfig['password']

interface WrittenLockout {
  readonly max_attempts: number
  readonly history_duration: number
  readonly minimum_duration: number
  readonly maximum_duration: number
  readonly backoff_factor: number
  readonly lockout_type: LockoutConfig['lockout_type']
  readonly password: Method
  readonly totp: Method
  readonly oob_otp: Method
  readonly recovery_code: Method
}

const method = sectionOf<Method>({ enabled: false }, { enabled: flag })

const backoffFactor: Decode<number> = (place) => {
  const factor = decimal(place)
  if (factor === undefined || (factor >= 1 && factor <= 1_000)) return factor
  return report(place, 'out_of_range', 'must be from 1 to 1000')
}

const written = mappingOf<WrittenLockout>({
  max_attempts: integer(0),
  history_duration: duration(),
  minimum_duration: duration(),
  maximum_duration: duration(),
  backoff_factor: backoffFactor,
  lockout_type: oneOf('per_user', 'per_user_per_ip'),
  password: method,
  totp: method,
  oob_otp: method,
  recovery_code: method,
})

/** What an account needs to be locked with. */
const needed = ['history_duration', 'minimum_duration', 'maximum_duration', 'lockout_type'] as const
const methods = ['password', 'totp', 'oob_otp', 'recovery_code'] as const

/**
 * When accounts are locked; nothing without `max_attempts`. If no method is named at all, all take part, since a lockout of
 * nothing cannot have been meant; else those that are not named do not.
 */
export const lockout: Decode<LockoutConfig> = (place) => {
  const given = written(place) ?? {}
  const { max_attempts: attempts } = given
  if (attempts === undefined || attempts === 0) {
    if (attempts === undefined && findMember(place, 'max_attempts') === undefined)
      warnOfNothing(place)
    return undefined
  }
  for (const key of needed) {
    if (findMember(place, key) !== undefined) continue
    report(memberOrSelf(place, key), 'required', 'is missing: max_attempts needs it')
  }
  const { history_duration, minimum_duration, maximum_duration, lockout_type } = given
  if (history_duration === undefined || lockout_type === undefined) return undefined
  if (minimum_duration === undefined || maximum_duration === undefined) return undefined
  if (minimum_duration > maximum_duration) {
    const message = 'must not be shorter than minimum_duration'
    return report(memberOrSelf(place, 'maximum_duration'), 'conflict', message)
  }
  const isOpen = methods.every((name) => findMember(place, name) === undefined)
  const stateOf = (name: (typeof methods)[number]): Method => given[name] ?? { enabled: isOpen }
  const config: LockoutConfig = {
    max_attempts: attempts,
    history_duration_ms: history_duration,
    minimum_duration_ms: minimum_duration,
    maximum_duration_ms: maximum_duration,
    backoff_factor: given.backoff_factor ?? 1,
    lockout_type,
    password: stateOf('password'),
    totp: stateOf('totp'),
    oob_otp: stateOf('oob_otp'),
    recovery_code: stateOf('recovery_code'),
  }
  if (methods.every((name) => !config[name].enabled)) warn(place, 'is enabled for no method')
  return config
}

function warnOfNothing(place: Place): void {
  const { node } = place
  if (node.kind === 'mapping' && node.entries.length > 0) warn(place, 'is off without max_attempts')
}
