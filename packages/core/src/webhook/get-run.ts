import type { WebhooksContext } from './context.ts'
import { webhookError } from './errors.ts'
import type { Run } from './run.ts'
import { readRun } from './runs/read-runs.ts'

/**
 * How a run stands, whichever process is at work on it. One whose process is gone is `lost`.
 *
 * @throws {GatehouseError} `unknown_run`; whatever the storage rejects with.
 */
export async function getRun(webhooks: WebhooksContext, runId: string): Promise<Run> {
  const run = isRunId(runId) ? await readRun(webhooks, runId) : undefined
  if (run === undefined) throw webhookError('unknown_run', 'there is no such run')
  return run
}

/** Nothing else was ever given to a run; a storage would refuse some of it. */
const isRunId = (text: unknown): text is string =>
  typeof text === 'string' && /^run_[0-9a-z]{26}$/.test(text)
