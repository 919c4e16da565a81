import { decodeInput, exactly, flag, optional } from '../input/decode.ts'
import type { WebhooksContext } from './context.ts'
import { webhookError } from './errors.ts'
import type { Run } from './run.ts'
import { type ReadRunsOptions, readRun } from './runs/read-runs.ts'

/** Options of {@link getRun}. */
export type GetRunOptions = ReadRunsOptions

const decodeOptions = exactly<GetRunOptions>({ output: optional(flag) })

/**
 * Returns the current state of a run, whichever process owns it. A run whose process is gone is `lost`.
 *
 * @throws {GatehouseError} `unknown_run`; `InvalidInput`; any error of the storage.
 */
export async function getRun(
  webhooks: WebhooksContext,
  runId: string,
  given: GetRunOptions = {},
): Promise<Run> {
  const options = decodeInput('options', decodeOptions, given)
  const run = isRunId(runId) ? await readRun(webhooks, runId, options) : undefined
  if (run === undefined) throw webhookError('unknown_run', 'no such run')
  return run
}

/** Only such ids were ever given to runs. A storage would refuse some other texts. */
const isRunId = (text: unknown): text is string =>
  typeof text === 'string' && /^run_[0-9a-z]{26}$/.test(text)
