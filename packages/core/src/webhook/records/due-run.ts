import { sha256Hex } from '../../crypto/crypto.ts'
import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import { instant, number, objectOf, optional, text } from '../../storage/record-check.ts'
import type { Version, Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { nextTime } from '../next-time.ts'
import type { RunStatus } from '../run.ts'
import type { After, LoadedWebhooksConfig, Schedule, Webhook } from '../webhook.ts'
import type { StoredRun } from './run-record.ts'

/** A run that shall be made at a time, without a delivery. The commit that records the run removes it or plans the next. */
export interface DueRun {
  /** The id of its webhook. */
  readonly webhook: string
  /** When to try to make it. */
  readonly at: Instant
  /** The time that the schedule says; only of a schedule, like `schedule`. */
  readonly planned_at?: Instant
  /** The schedule that it follows, to notice changes. */
  readonly schedule?: string
  /** The run that it comes after. */
  readonly run_id?: string
  readonly run_webhook?: string
  readonly run_status?: string
  /** How many runs are before it in its chain. */
  readonly depth?: number
}

/** By {@link scheduleId}, or by the run before it and the webhook. */
export const dueCollection: TypedCollection<DueRun> = defineCollection<DueRun>({
  name: 'webhook_due',
  fields: { at: 'number' },
  unreadable: 'skip',
  check: objectOf<DueRun>({
    webhook: text,
    at: number,
    planned_at: optional(instant),
    schedule: optional(text),
    run_id: optional(text),
    run_webhook: optional(text),
    run_status: optional(text),
    depth: optional(number),
  }),
})

/** The most runs after each other; a reload may make a circle of two configurations that have none. */
export const maxDepth = 16
/** How long a run may be late: nothing could make it, or its webhook is gone. */
const maxLateMs = 7 * 86_400_000

const failures: ReadonlySet<RunStatus> = new Set(['failed', 'timed_out', 'lost'])

/** Whether a webhook runs after a run that ended so. Who cancels or replaces a run wants nothing after it. */
function comesAfter({ on }: After, status: RunStatus): boolean {
  if (on === 'always') return true
  return on === 'success' ? status === 'succeeded' : failures.has(status)
}

/** The writes that plan the runs after a run that ended now. They belong into the commit that records its end. */
export function runsAfter(
  ended: StoredRun,
  { webhooks }: Pick<LoadedWebhooksConfig, 'webhooks'>,
  now: Instant,
): readonly Write[] {
  const depth = (ended.cause?.type === 'run' ? ended.cause.depth : 0) + 1
  if (depth > maxDepth) return []
  const writes: Write[] = []
  for (const { id, after, enabled } of webhooks) {
    if (after?.webhook !== ended.webhook || !enabled) continue
    if (!comesAfter(after, ended.status)) continue
    const due: DueRun = {
      webhook: id,
      // At once by any clock: that of this process may be ahead of the others.
      at: 0,
      run_id: ended.run_id,
      run_webhook: ended.webhook,
      run_status: ended.status,
      depth,
    }
    const key = `run ${ended.run_id} ${sha256Hex(id)}`
    writes.push(dueCollection.write(key, due, { expiresAt: now + maxLateMs }))
  }
  return writes
}

/** The id of the record for the next time of a webhook's schedule. */
export function scheduleId(webhook: string): string {
  return `schedule ${sha256Hex(webhook)}`
}

/** A schedule as a text. */
function scheduleText({ cron, time_zone }: Schedule): string {
  return `${cron} ${time_zone}`
}

/** Whether a webhook has another schedule by now, or none. */
export function isOutdated({ schedule }: DueRun, webhook: Pick<Webhook, 'schedule'>): boolean {
  if (schedule === undefined) return false
  return webhook.schedule === undefined || scheduleText(webhook.schedule) !== schedule
}

/** The write that plans the next time after an instant; `undefined` if there is none. */
export function nextDue(
  { id, schedule }: Pick<Webhook, 'id' | 'schedule'>,
  after: Instant,
  version: 'absent' | Version,
): Write | undefined {
  const at = schedule && nextTime(schedule, after)
  if (schedule === undefined || at === undefined) return undefined
  const due: DueRun = { webhook: id, at, planned_at: at, schedule: scheduleText(schedule) }
  return dueCollection.write(scheduleId(id), due, { if: version, expiresAt: at + maxLateMs })
}
