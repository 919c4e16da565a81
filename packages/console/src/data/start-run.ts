import { isClientError, type ListedWebhook, type RunEvent } from '@gatehouse/client'
import type { RunRequest } from '../runs/run-fields.ts'
import { hooks, tokenHeaders } from './webhooks.ts'

/**
 * Starts a run, without waiting for its end.
 *
 * @param token in place of the token of this tab; empty for that one.
 * @returns its id; `undefined` if the rules of the webhook skipped the request.
 * @throws {GatehouseClientError} if there is no run.
 */
export async function startRun(
  { id, mode }: Pick<ListedWebhook, 'id' | 'mode'>,
  { data, headers, query }: RunRequest,
  token: string,
): Promise<string | undefined> {
  const options = { headers: { ...headers, ...tokenHeaders(token) }, query }
  try {
    if (mode === 'stream') return await startStream(hooks.stream(id, data, options))
    const result = await hooks.run(id, data, { ...options, waitSeconds: 0 })
    return 'run_id' in result ? result.run_id : undefined
  } catch (error) {
    const runId = runOf(error)
    if (runId === undefined) throw error
    return runId
  }
}

/** The run of a failure: a command that did not start, or failed at once, has one. */
function runOf(error: unknown): string | undefined {
  if (!isClientError(error)) return undefined
  const { run_id: runId } = Object(error.body) as { readonly run_id?: unknown }
  return typeof runId === 'string' ? runId : undefined
}

/** Reads the rest of the stream in the background: leaving it may cancel the run. */
async function startStream(events: AsyncGenerator<RunEvent>): Promise<string | undefined> {
  const { value } = await events.next()
  if (value === undefined || !('run' in value)) return undefined
  void drain(events)
  return value.run.run_id
}

async function drain(events: AsyncGenerator<RunEvent>): Promise<void> {
  try {
    while ((await events.next()).done !== true);
  } catch {
    // The page of the run follows it, and says what is wrong.
  }
}
