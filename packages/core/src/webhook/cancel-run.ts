import type { WebhooksContext } from './context.ts'
import { webhookError } from './errors.ts'
import { getRun } from './get-run.ts'
import { runCollection } from './records/run-record.ts'
import { hasEnded, type Run } from './run.ts'

/**
 * Asks a run to end: one that waits ends at once, one that runs gets a polite signal, then a forced one. Does not wait for
 * its end. A process that is asked by another one learns of it within about a second.
 *
 * @returns how the run stands.
 * @throws {GatehouseError} `unknown_run`; `run_finished` if it has ended; whatever the storage rejects with.
 */
export async function cancelRun(webhooks: WebhooksContext, runId: string): Promise<Run> {
  const run = await getRun(webhooks, runId)
  if (hasEnded(run)) throw webhookError('run_finished', 'the run has ended', { run })
  const own = webhooks.work.board.find(runId)
  if (own !== undefined) {
    own.cancel('canceled')
    return own.snapshot()
  }
  const server = (await runCollection.get(webhooks.storage, runId))?.value.server
  if (server !== undefined) await webhooks.work.cancelRequests.ask(server, runId)
  return run
}
