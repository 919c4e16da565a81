import { isGatehouseError } from '../errors.ts'
import { declareMetrics, type MetricRows } from '../metrics/declare-metrics.ts'
import type { MetricsRegistry } from '../metrics/metrics.ts'
import type { Clock } from '../time/clock.ts'
import type { Channel, FlowType } from './config/flow-definition.ts'
import type { LeakOutcome } from './kinds/password/leaked-passwords.ts'
import type { PasswordHasher } from './kinds/password/password-hasher.ts'
import type { NoticeName } from './messages/message-texts.ts'

/** The outcome of a message with a code or a link. */
export type DeliveryOutcome = 'sent' | 'failed' | 'suppressed'

/** The metrics of the service. No label value comes from a client. */
export interface AuthMetrics {
  flowStarted(type: FlowType): void
  /** A flow reached its last step, and was stored or refused. */
  flowFinished(type: FlowType, outcome: 'finished' | 'refused'): void
  /** A request to a flow was refused; `reason` is the one that clients see. */
  requestRefused(reason: string): void
  codeSent(channel: Channel, outcome: DeliveryOutcome): void
  /** A new password was looked up among leaked ones. */
  leakChecked(outcome: LeakOutcome): void
  /** A mail about a change of an account. */
  noticeSent(name: NoticeName, outcome: DeliveryOutcome): void
  /** A rate limit or lockout was hit: the name of the bucket, or `AccountLockout`. */
  limitHit(limit: string): void
  /** An API key came with a request. */
  apiKeyChecked(outcome: 'accepted' | 'refused'): void
  sessionsOpened(): void
  sessionsEnded(count: number): void
  /** The hasher, with its work counted and timed. */
  measured(hasher: PasswordHasher): PasswordHasher
}

/** Most hashes take 0.1 to 0.5 s; the rest is waiting. */
const hashBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const rows = {
  started: {
    type: 'counter',
    name: 'gatehouse_auth_flows_started_total',
    help: 'Flows that were created.',
    labels: ['type'],
  },
  finished: {
    type: 'counter',
    name: 'gatehouse_auth_flows_finished_total',
    help: 'Flows that reached their last step, by outcome.',
    labels: ['type', 'outcome'],
  },
  refused: {
    type: 'counter',
    name: 'gatehouse_auth_requests_refused_total',
    help: 'Requests to flows that were refused, by the reason that clients see.',
    labels: ['reason'],
  },
  codes: {
    type: 'counter',
    name: 'gatehouse_auth_codes_sent_total',
    help: 'Messages with a code or a link, by outcome.',
    labels: ['channel', 'outcome'],
  },
  leaks: {
    type: 'counter',
    name: 'gatehouse_auth_leaked_password_checks_total',
    help: 'New passwords that were looked up among leaked ones, by outcome.',
    labels: ['outcome'],
  },
  notices: {
    type: 'counter',
    name: 'gatehouse_auth_notices_sent_total',
    help: 'Mails about changes of accounts, by outcome.',
    labels: ['kind', 'outcome'],
  },
  limits: {
    type: 'counter',
    name: 'gatehouse_auth_limits_hit_total',
    help: 'Requests that were refused because a rate limit or a lockout was reached.',
    labels: ['limit'],
  },
  apiKeys: {
    type: 'counter',
    name: 'gatehouse_auth_api_keys_checked_total',
    help: 'API keys that came with requests, by outcome.',
    labels: ['outcome'],
  },
  opened: {
    type: 'counter',
    name: 'gatehouse_auth_sessions_opened_total',
    help: 'Sessions that were opened.',
  },
  ended: {
    type: 'counter',
    name: 'gatehouse_auth_sessions_ended_total',
    help: 'Sessions that were ended before they expired.',
  },
} satisfies MetricRows

const hasherRows = {
  queued: {
    type: 'gauge',
    name: 'gatehouse_auth_password_hashes_queued',
    help: 'Passwords that are being hashed, or wait for it.',
  },
  seconds: {
    type: 'histogram',
    name: 'gatehouse_auth_password_hash_duration_seconds',
    help: 'How long hashing a password took, with the wait before it.',
    buckets: hashBuckets,
  },
  refused: {
    type: 'counter',
    name: 'gatehouse_auth_password_hashes_refused_total',
    help: 'Passwords that were not hashed because too many were waiting.',
  },
} satisfies MetricRows

/** Registers the metrics of the authentication flow service. */
export function registerAuthMetrics(metrics: MetricsRegistry, clock: Clock): AuthMetrics {
  const counted = declareMetrics(metrics, rows)
  return {
    flowStarted: (type) => counted.started.add(1, { type }),
    flowFinished: (type, outcome) => counted.finished.add(1, { type, outcome }),
    requestRefused: (reason) => counted.refused.add(1, { reason }),
    codeSent: (channel, outcome) => counted.codes.add(1, { channel, outcome }),
    leakChecked: (outcome) => counted.leaks.add(1, { outcome }),
    noticeSent: (kind, outcome) => counted.notices.add(1, { kind, outcome }),
    limitHit: (limit) => counted.limits.add(1, { limit }),
    apiKeyChecked: (outcome) => counted.apiKeys.add(1, { outcome }),
    sessionsOpened: () => counted.opened.add(1),
    sessionsEnded: (count) => counted.ended.add(count),
    measured: measuredHasher(metrics, clock),
  }
}

function measuredHasher(
  metrics: MetricsRegistry,
  clock: Clock,
): (hasher: PasswordHasher) => PasswordHasher {
  let queued = 0
  const { seconds, refused } = declareMetrics(metrics, hasherRows, {
    queued: (gauge) => gauge.set(queued),
  })

  async function measure<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = clock.monotonic()
    queued += 1
    try {
      const answer = await work()
      seconds.observe((clock.monotonic() - startedAt) / 1_000)
      return answer
    } catch (error) {
      if (isGatehouseError(error) && error.kind === 'TooManyRequest') refused.add(1)
      throw error
    } finally {
      queued -= 1
    }
  }

  return (hasher) => ({
    hash: (password, requester) => measure(() => hasher.hash(password, requester)),
    verify: (password, hash, requester) => measure(() => hasher.verify(password, hash, requester)),
    needsRehash: (hash) => hasher.needsRehash(hash),
  })
}
