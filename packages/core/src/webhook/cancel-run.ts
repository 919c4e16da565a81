import type { WebhooksContext } from './context.ts'
import { webhookError } from './errors.ts'
import { getRun } from './get-run.ts'
import { runCollection } from './records/run-record.ts'
import { hasEnded, type Run } from './run.ts'

/**
 * Ends a run: a waiting run ends at once, a running one gets SIGTERM, then SIGKILL. Does not wait for the end. If another process
 * owns the run, that process notices the request within about a second.
 *
 * @returns the current state of the run.
 * @throws {GatehouseError} `unknown_run`; `run_finished` if it has ended; any error of the storage.
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
  if (server !== undefined) await webhooks.work.cancelRequests.send(server, runId)
  return run
}
