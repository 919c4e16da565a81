import { sha256Hex } from '../../../crypto/crypto.ts'
import { defineCollection, type TypedCollection } from '../../../storage/collection.ts'
import { type RateLimit, type SpentRate, storedRate } from '../../../storage/rate-limit.ts'
import { flag, mapOf, number, objectOf, optional, text } from '../../../storage/record-check.ts'
import type { RateLimitConfig } from '../../fields/rate-limit.ts'
import type { RouteNode } from '../../routing/routing-tree.ts'
import { type LoggedNotification, storedNotification } from '../log/log.ts'
import { storedWaits, type Waits } from './fair-turns.ts'

/** A limit for the notifications of one integration, of a route or of a receiver. */
export interface Limit {
  /** Of its record. */
  readonly id: string
  /** Such as `receiver "team"`. */
  readonly name: string
  /** The key of its summaries. */
  readonly groupKey: string
  readonly rate: RateLimit
}

/** A group over a limit: its notifications are part of summaries until all of its alerts are resolved. */
export interface LimitedGroup {
  readonly groupKey: string
  /** What the last summary said about it; absent before the first one. */
  readonly told?: LoggedNotification
}

/** The process that is sending a summary. */
export interface Sender {
  readonly holder: string
  readonly beat: number
  /** After how many ms others may consider it gone. */
  readonly lifeMs: number
  /** Set if a process that was considered gone ended its summary meanwhile: then it is unknown which one arrived last. */
  readonly isDisputed?: boolean
}

/** What is stored of a limit. */
export interface StoredLimit {
  readonly spent: SpentRate
  /** Absent if nothing had to wait. */
  readonly waits?: Waits
  /** By the id of the group. */
  readonly groups: Readonly<Record<string, LimitedGroup>>
  readonly sender?: Sender
  /** Whether a summary may have arrived without a confirmation. */
  readonly isUnknown?: boolean
  /** Values that the integration stored for its next summary. */
  readonly kept?: Readonly<Record<string, string>>
}

const storedSender = objectOf<Sender>({
  holder: text,
  beat: number,
  lifeMs: number,
  isDisputed: optional(flag),
})

/** The state of limits, by {@link Limit.id}. Only configured limits have one. */
export const limitCollection: TypedCollection<StoredLimit> = defineCollection<StoredLimit>({
  name: 'notification_limits',
  unreadable: 'skip',
  check: objectOf<StoredLimit>({
    spent: storedRate,
    waits: optional(storedWaits),
    groups: mapOf(objectOf<LimitedGroup>({ groupKey: text, told: optional(storedNotification) })),
    sender: optional(storedSender),
    isUnknown: optional(flag),
    kept: optional(mapOf(text)),
  }),
})

const noLimits: readonly Limit[] = []

/** The limits for one integration about groups of a route: of the route, then of the receiver. */
export function limitsOf(
  { rateLimit: ofRoute, receiver }: RouteNode,
  ofReceiver: RateLimitConfig | undefined,
  integration: string,
): readonly Limit[] {
  if (ofRoute === undefined && ofReceiver === undefined) return noLimits
  const limit = (
    { notifications, per }: RateLimitConfig,
    { scope, name, groupKey }: { scope: readonly string[]; name: string; groupKey: string },
  ): Limit => ({
    id: sha256Hex(JSON.stringify([...scope, receiver, integration])),
    name,
    groupKey,
    rate: { runs: notifications, per },
  })
  const limits: Limit[] = []
  if (ofRoute !== undefined) {
    const { route, key } = ofRoute
    const groupKey = `${key}:rate_limit`
    limits.push(limit(ofRoute, { scope: ['route', route], name: `route ${key}`, groupKey }))
  }
  if (ofReceiver !== undefined) {
    const name = `receiver ${JSON.stringify(receiver)}`
    limits.push(limit(ofReceiver, { scope: ['receiver'], name, groupKey: `${name}:rate_limit` }))
  }
  return limits
}
