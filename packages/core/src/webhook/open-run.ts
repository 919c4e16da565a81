import { type ActiveRunOptions, createActiveRun } from './active-run.ts'
import { createEntrant } from './admission.ts'
import type { WebhooksContext } from './context.ts'
import type { KeyClaim } from './dedupe.ts'
import { webhookError } from './errors.ts'
import type { RunHandle } from './run-handle.ts'
import type { Webhook } from './webhook.ts'

/** What a run is made of, and the key it takes. */
export interface OpenRunOptions extends Omit<ActiveRunOptions, 'entrant'> {
  readonly claim: KeyClaim | undefined
}

const queueFull = ({ work }: WebhooksContext, webhook: Webhook): Error => {
  const { running, waiting } = work.board.admission.counts(webhook.id)
  const isBusy = webhook.on_busy === 'reject' || webhook.queue === 0
  const retryAfterSeconds = work.durations.secondsFor(webhook, isBusy ? 1 : running + waiting)
  const message = isBusy ? 'the webhook is busy' : 'too many runs wait'
  return webhookError('queue_full', message, { retryAfterSeconds })
}

/** Nothing is let in any more. */
export const shuttingDown = (): Error =>
  webhookError('shutting_down', 'the server is shutting down', { retryAfterSeconds: 10 })

/**
 * Gives a run its place, or one in line, and records it. One that cannot be started needs neither: it ends at once.
 *
 * @throws {GatehouseError} `queue_full`, `shutting_down`; `StorageConflict` if its key is taken by now; whatever the
 *   storage rejects with. Nothing runs then.
 */
export async function openRun(hooks: WebhooksContext, options: OpenRunOptions): Promise<RunHandle> {
  const { board, history, journal, cancelRequests } = hooks.work
  const { webhook, facts, prepared } = options
  if (hooks.isStopping()) throw shuttingDown()
  const { run_id } = facts
  const entrant = createEntrant(run_id, webhook)
  const canStart = prepared.problem === undefined
  const entry = canStart ? board.admission.enter(entrant) : 'waiting'
  if (entry === 'full') throw queueFull(hooks, webhook)
  const run = createActiveRun(hooks, { entrant, ...options })
  board.add(run)
  if (entry === 'placed') run.grant()
  const recorded = run.snapshot()
  try {
    const written = await journal.open(recorded, options.claim)
    if (options.claim !== undefined) history.noteKey(options.claim.id)
    cancelRequests.watch()
    if (webhook.on_busy === 'latest') {
      for (const id of board.admission.before(entrant)) board.find(id)?.end('superseded')
    }
    if (canStart && recorded.status === 'queued') {
      hooks.events.emit('run.queued', () => recorded)
    }
    run.accept(written, recorded)
  } catch (error) {
    run.discard()
    board.remove(run_id)
    board.leave(entrant)
    throw error
  }
  // It is no run that is about to begin, and nobody shall take it for one.
  if (!canStart) await run.ended
  return run
}
