import type { RunHandle } from '../board/run-handle.ts'
import type { WebhooksContext } from '../context.ts'
import { logText } from '../log-text.ts'
import { type RunOutputs, runCollection } from '../records/run-record.ts'
import { hasEnded, type Run } from '../run.ts'
import type { Webhook } from '../webhook.ts'
import { createLiveOutput } from './live-output.ts'
import { outputsOf, readOutputs } from './read-outputs.ts'
import { readRun } from './read-runs.ts'

/** How often to poll its record, in ms. */
const intervalMs = 250

/**
 * A run that another process owns, followed by its record. Its output is available when it has ended. A caller that disconnects
 * does not cancel it, because its own process may have other callers. Once this service is closed, polling stops and the last
 * known state stays.
 */
export function followRecord(webhooks: WebhooksContext, seen: Run, webhook: Webhook): RunHandle {
  const { logger, storage, work } = webhooks
  const { id: run_id } = seen
  const warn = (error: unknown): void => {
    logger.warn({ run_id, error: logText(String(error)) }, 'a run of another process')
  }
  const output = createLiveOutput({ limit: 0, keep: 'head', waits: false, onFailure: warn })
  let run = seen
  let outputs: RunOutputs = outputsOf(seen)

  const look = async (): Promise<void> => {
    try {
      run = (await readRun(webhooks, run_id)) ?? { ...run, status: 'lost' }
    } catch (error) {
      warn(error)
    }
  }

  const until = async (isReached: () => boolean): Promise<Run> => {
    while (!isReached() && (await work.patience.wait(intervalMs))) await look()
    return run
  }

  const started = until(() => run.status !== 'queued')
  const ended = started
    .then(() => until(() => hasEnded(run)))
    .then(async (last) => {
      outputs = await readOutputs(webhooks, last).catch((error) => {
        warn(error)
        return outputsOf(last)
      })
      return last
    })
  void ended.then(() => {
    void output.add('stdout', outputs.stdout.bytes)
    void output.add('stderr', outputs.stderr.bytes)
    output.end(outputs)
  })
  return {
    run_id,
    webhook,
    snapshot: () => run,
    outputs: () => outputs,
    started,
    ended,
    follow: output.follow,
    cancel(reason) {
      if (reason === 'canceled' && !hasEnded(run)) void askToEnd().catch(warn)
    },
  }

  async function askToEnd(): Promise<void> {
    const server = (await runCollection.get(storage, run_id))?.value.server
    if (server !== undefined) await work.cancelRequests.send(server, run_id)
  }
}
