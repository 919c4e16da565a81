import { isGatehouseError } from '../../errors.ts'
import { isConflict, type Write } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import { failSpan, reasonOf } from '../../tracing/in-span.ts'
import type { TracerSpan } from '../../tracing/tracer.ts'
import { createEntrant } from '../board/admission.ts'
import type { Entrant } from '../board/lanes.ts'
import type { RunHandle } from '../board/run-handle.ts'
import type { WebhooksContext } from '../context.ts'
import { webhookError } from '../errors.ts'
import type { KeyClaim } from '../records/dedupe.ts'
import { placeCollection } from '../records/place-records.ts'
import type { RunEntry } from '../records/run-journal.ts'
import { serverCollection } from '../records/server-record.ts'
import type { Run } from '../run.ts'
import type { Webhook } from '../webhook.ts'
import { type ActiveRunOptions, createActiveRun, type NewRun } from './active-run.ts'

/** The parts of a run, and the key it takes. */
export interface OpenRunOptions extends Omit<ActiveRunOptions, 'entrant'> {
  readonly claim: KeyClaim | undefined
  /** Writes that belong into the commit that records it, such as those that take it from its rate limit. */
  readonly together: readonly Write[]
}

/** How often to warn of the same queue, in ms. */
const warnEveryMs = 60_000

/** When a webhook was warned of, for each warning. */
const warnedAt = { full: new WeakMap<Webhook, Instant>(), half: new WeakMap<Webhook, Instant>() }

const queueWarnings = {
  full: 'deliveries are refused because the queue is full: raise queue or concurrency',
  half: 'the queue is half full: when it is full, deliveries are refused. Raise queue or concurrency',
} as const

/** Most senders do not repeat a refused delivery, so it is lost. */
function warnOfQueue(
  { clock, logger, config, work }: WebhooksContext,
  webhook: Webhook,
  state: keyof typeof queueWarnings,
): void {
  const now = clock.now()
  const last = warnedAt[state].get(webhook)
  if (last !== undefined && Math.abs(now - last) < warnEveryMs) return
  warnedAt[state].set(webhook, now)
  const { id, queue } = webhook
  const { waiting } = work.board.admission.counts(id)
  const fields = { webhook: id, waiting, queue, limits_queue: config.current.limits.queue }
  logger.warn(fields, queueWarnings[state])
}

/** Smaller queues are meant to be full at times. */
const leastWatchedQueue = 10

function warnOfHalfQueue(webhooks: WebhooksContext, webhook: Webhook): void {
  const { queue, on_busy } = webhook
  if (on_busy !== 'queue' || queue < leastWatchedQueue) return
  const { waiting } = webhooks.work.board.admission.counts(webhook.id)
  if (waiting * 2 >= queue) warnOfQueue(webhooks, webhook, 'half')
}

const queueFull = (webhooks: WebhooksContext, webhook: Webhook): Error => {
  const { work } = webhooks
  const { running, waiting } = work.board.admission.counts(webhook.id)
  const isBusy = webhook.on_busy === 'reject' || webhook.queue === 0
  const retryAfterSeconds = work.durations.secondsFor(webhook, isBusy ? 1 : running + waiting)
  if (!isBusy) warnOfQueue(webhooks, webhook, 'full')
  const message = isBusy ? 'the webhook is busy' : 'too many runs are waiting'
  return webhookError('queue_full', message, { retryAfterSeconds })
}

/** Refuses new runs while the service closes. */
export const shuttingDown = (): Error =>
  webhookError('shutting_down', 'the server is shutting down', { retryAfterSeconds: 10 })

/**
 * Opens a run as {@link enter} does, and traces it from now until its end: what started it, such as a request, is its parent.
 *
 * @throws what {@link enter} throws.
 */
export async function openRun(
  webhooks: WebhooksContext,
  options: OpenRunOptions,
): Promise<RunHandle> {
  const { tracer } = webhooks
  if (tracer === undefined) return enter(webhooks, options)
  const { id: run_id, webhook_id: id } = options.facts
  const attributes = { 'gatehouse.webhook.id': id, 'gatehouse.run.id': run_id }
  const span = tracer.startSpan('webhook.run', { attributes })
  try {
    const run = await enter(webhooks, options)
    void run.ended.then((ended) => endRunSpan(span, ended))
    return run
  } catch (error) {
    failSpan(span, reasonOf(error))
    span.end()
    throw error
  }
}

/** Ends the span of a run. It shows how the run ended, but neither its arguments nor its output. */
function endRunSpan(
  span: TracerSpan,
  { status, reason, exit_code, attempts, queued_ms }: Run,
): void {
  span.setAttributes({
    'gatehouse.run.status': status,
    'gatehouse.run.attempts': attempts,
    'gatehouse.run.queued_ms': queued_ms,
    ...(exit_code === null ? {} : { 'gatehouse.run.exit_code': exit_code }),
  })
  if (status !== 'succeeded') failSpan(span, reason ?? status)
  span.end()
}

/**
 * Gives a run a place, or queues it, and records it. A run that cannot be started needs neither and ends at once.
 *
 * @throws {GatehouseError} `queue_full`, `shutting_down`; `StorageConflict` if its key is taken by now; any error of the storage.
 * Nothing runs then.
 */
async function enter(webhooks: WebhooksContext, options: OpenRunOptions): Promise<RunHandle> {
  const { board, history, cancelRequests, places } = webhooks.work
  const { webhook, facts, prepared } = options
  if (webhooks.isStopping()) throw shuttingDown()
  const { id: run_id } = facts
  const entrant = createEntrant(run_id, webhook)
  const canStart = prepared.problem === undefined
  const entry = canStart ? board.admission.enter(entrant) : 'waiting'
  if (entry === 'full') throw queueFull(webhooks, webhook)
  const run = createActiveRun(webhooks, { entrant, ...options })
  board.add(run)
  if (canStart && webhook.on_busy === 'latest') board.newest.set(webhook.id, run_id)
  if (entry === 'placed') run.grant()
  try {
    const { written, recorded } = await record(webhooks, run, entrant, options)
    if (options.claim !== undefined) history.noteKey(webhook.id, options.claim.id)
    cancelRequests.watch()
    if (webhook.on_busy === 'latest') {
      for (const id of board.admission.before(entrant)) board.find(id)?.end('superseded')
    }
    if (canStart && recorded.status === 'queued') {
      webhooks.events.emit('run.queued', () => recorded)
    }
    run.accept(written, recorded)
    if (entrant.isWaiting) {
      places.tend(webhook.id)
      warnOfHalfQueue(webhooks, webhook)
    }
  } catch (error) {
    run.discard()
    board.remove(run_id)
    board.leave(entrant)
    throw error
  }
  // Wait until it has ended, so that no other process treats it as a run about to start.
  if (!canStart) await run.ended
  return run
}

/** How often to retry for a place that others take first. After that, the run can be queued. */
const maxAttempts = 10

/** Records a run with its place, or as queued if others have all places. */
async function record(
  webhooks: WebhooksContext,
  run: NewRun,
  entrant: Entrant,
  { webhook, claim: key, prepared, together }: OpenRunOptions,
): Promise<{ readonly written: RunEntry; readonly recorded: Run }> {
  const { board, journal, places } = webhooks.work
  const hasPlaces = webhook.concurrency > 0 && prepared.problem === undefined
  const isLatest = hasPlaces && webhook.on_busy === 'latest'
  for (let attempt = 1; ; attempt++) {
    const place = hasPlaces && entrant.hasPlace ? places.claim(webhook) : undefined
    const recorded = run.snapshot()
    // A run that is recorded late must not replace one that came after it.
    const supersedes = (): boolean => isLatest && board.newest.get(webhook.id) === run.run_id
    try {
      return {
        written: await journal.open(recorded, { key, place, together, supersedes }),
        recorded,
      }
    } catch (error) {
      place?.drop()
      if (place === undefined || !(await isTaken(webhooks, error))) throw error
    }
    if ((await places.look(webhook)) && attempt < maxAttempts) continue
    run.revoke()
    if (board.admission.demote(entrant) === 'full') throw queueFull(webhooks, webhook)
  }
}

/** Whether a run could not be recorded because of its place: another process has it, or declared this one dead. */
async function isTaken({ work }: WebhooksContext, error: unknown): Promise<boolean> {
  if (!isConflict(error) || !isGatehouseError(error)) return false
  const { collection } = error.info
  if (collection === serverCollection.name) await work.heartbeat.confirm()
  return collection === serverCollection.name || collection === placeCollection.name
}
