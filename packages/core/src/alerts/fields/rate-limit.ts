import { block, type ConfigKind, integer, optional } from '@gatehouse/go-template/yaml'
import { duration } from './durations.ts'

/** A limit of notifications: as many at once, refilled over a period. Not in Alertmanager. */
export interface RateLimitConfig {
  /** At least 1. */
  readonly notifications: number
  /** In ms. */
  readonly per: number
}

const whole = integer('uint64')
/** The check below refuses a number that is too large to be exact. */
const count: ConfigKind<number> = {
  ...whole,
  zero: 0,
  decode: (place) => Number(whole.decode(place)),
}

/** `rate_limit` */
export const rateLimit: ConfigKind<RateLimitConfig | undefined> = optional(
  block<RateLimitConfig>({
    typeName: 'config.RateLimit',
    fields: {
      notifications: { kind: count, print: 'always' },
      per: { kind: duration, print: 'always' },
    },
    check({ notifications, per }, report) {
      if (notifications === 0) report('notifications must be at least 1', 'notifications')
      else if (notifications > 10_000)
        report('notifications must be at most 10000', 'notifications')
      if (per === 0) report('per must be greater than zero', 'per')
    },
  }),
)
