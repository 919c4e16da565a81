import { type Running, repeat } from '../../async/running.ts'
import { isGatehouseError } from '../../errors.ts'
import type { TypedRecord } from '../../storage/collection.ts'
import { isConflict, type Write } from '../../storage/storage.ts'
import type { WebhooksContext } from '../context.ts'
import { deliverWebhook } from '../delivery/deliver-webhook.ts'
import { deliveryOfCall } from '../delivery/delivery-of-call.ts'
import { type DueRun, dueCollection, isOutdated, nextDue, scheduleId } from '../records/due-run.ts'
import type { RunCause } from '../run.ts'
import type { LoadedWebhooksConfig, Webhook } from '../webhook.ts'

const intervalMs = 1_000
/** How many runs one look makes at most. */
const maxAtOnce = 100
/** What cannot be made now is tried again after this time. */
const laterMs = 10_000
/** Likewise if this process has no such webhook, or another schedule. */
const muchLaterMs = 300_000
/** Another process may load another configuration, so schedules are compared now and then. */
const looksBetweenPlans = 60

/** Waiting helps against these. */
const passing: ReadonlySet<string> = new Set([
  'queue_full',
  'rate_limited',
  'overloaded',
  'storage_unavailable',
  'shutting_down',
])

/**
 * Makes the runs of schedules, and those after other runs, until it is stopped. Any process may make a run: the commit that records
 * it changes the record that says it is due, so it is made once. A time that nobody could use is made up for once.
 */
export function startDueRuns(webhooks: WebhooksContext): Running {
  const { clock, config, logger } = webhooks
  let planned: LoadedWebhooksConfig | undefined
  let looks = 0
  return repeat({ clock, intervalMs }, async (isStopped) => {
    const current = config.current
    const isOn = current.webhooks.some(
      (one) => one.schedule !== undefined || one.after !== undefined,
    )
    if (!isOn || webhooks.isStopping()) return
    try {
      if (planned !== current || looks++ % looksBetweenPlans === 0) await plan(webhooks)
      planned = current
      const query = { by: 'at', to: clock.now() + 1, limit: maxAtOnce }
      for (const record of await dueCollection.find(webhooks.storage, query)) {
        if (isStopped() || webhooks.isStopping()) return
        await make(webhooks, record)
      }
    } catch (error) {
      logger.warn({ error: String(error) }, 'runs that are due could not be made')
    }
  })
}

/** Records the next time of each schedule that has none, or that was changed. */
async function plan(webhooks: WebhooksContext): Promise<void> {
  const { clock, config, storage } = webhooks
  for (const webhook of config.current.webhooks) {
    if (webhook.schedule === undefined || !webhook.enabled) continue
    const record = await dueCollection.get(storage, scheduleId(webhook.id))
    if (record !== undefined && !isOutdated(record.value, webhook)) continue
    const next = nextDue(webhook, clock.now(), record?.version ?? 'absent')
    if (next !== undefined) await commitUnlessTaken(webhooks, next)
  }
}

/** Another process may have changed the record meanwhile, and done what is to be done. */
async function commitUnlessTaken({ storage }: WebhooksContext, write: Write): Promise<void> {
  try {
    await storage.commit([write])
  } catch (error) {
    if (!isConflict(error)) throw error
  }
}

async function make(webhooks: WebhooksContext, record: TypedRecord<DueRun>): Promise<void> {
  const { clock, config, logger } = webhooks
  const { id, value, version } = record
  const webhook = config.current.webhooks.find((one) => one.id === value.webhook && one.enabled)
  // Another process may know the webhook, or have another schedule.
  if (webhook === undefined || isOutdated(value, webhook))
    return postpone(webhooks, record, muchLaterMs)
  const done = doneWith(webhook, record, clock.now())
  const call = { id: webhook.id, data: dataOf(value, webhook) }
  const how = { trust: 'program', mayLackToken: () => true, ids: webhooks.ids } as const
  const planned = { cause: causeOf(value), writes: [done] }
  try {
    const made = await deliverWebhook(webhooks, { ...deliveryOfCall(call, how), planned })
    // Rules and keys may want no run.
    if (made.kind !== 'run' || made.isDuplicate) await commitUnlessTaken(webhooks, done)
  } catch (error) {
    if (isConflict(error)) return
    const reason = isGatehouseError(error) ? error.reason : undefined
    const about = { webhook: webhook.id, due: id, version, reason, error: String(error) }
    if (reason !== undefined && !passing.has(reason)) {
      logger.error(about, 'a run that was due cannot be made')
      return commitUnlessTaken(webhooks, done)
    }
    logger.warn(about, 'a run that was due is made later')
    await postpone(webhooks, record, laterMs)
  }
}

/** The write after which the run is no longer due. */
function doneWith(
  webhook: Webhook,
  { id, value, version }: TypedRecord<DueRun>,
  now: number,
): Write {
  const next = value.schedule === undefined ? undefined : nextDue(webhook, now, version)
  return next ?? dueCollection.remove(id, version)
}

function postpone(
  webhooks: WebhooksContext,
  record: TypedRecord<DueRun>,
  byMs: number,
): Promise<void> {
  const { id, value, version, expiresAt } = record
  const expiry = expiresAt === undefined ? {} : { expiresAt }
  const later = { ...value, at: webhooks.clock.now() + byMs }
  return commitUnlessTaken(webhooks, dueCollection.write(id, later, { if: version, ...expiry }))
}

function causeOf({ at, planned_at, run_id, depth = 1 }: DueRun): RunCause {
  if (run_id === undefined) return { type: 'schedule', at: planned_at ?? at }
  return { type: 'run', run_id, depth }
}

/** What sources such as `data.run.run_id` read. */
function dataOf(
  { at, planned_at, run_id, run_webhook, run_status }: DueRun,
  { schedule }: Webhook,
): object {
  if (run_id === undefined) {
    return { ...schedule?.data, schedule: { at: new Date(planned_at ?? at).toISOString() } }
  }
  return { run: { run_id, id: run_webhook, status: run_status } }
}
