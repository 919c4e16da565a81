import type { WebhooksContext } from '../context.ts'
import type { RunHandle } from './run-handle.ts'

/** The run with this id, if this process owns it. */
export function findRunHandle(webhooks: WebhooksContext, runId: string): RunHandle | undefined {
  return webhooks.work.board.find(runId)
}
