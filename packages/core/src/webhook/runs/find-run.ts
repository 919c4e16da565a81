import type { RunHandle } from '../board/run-handle.ts'
import type { WebhooksContext } from '../context.ts'

/** The run with this id, if this process owns it. */
export function findRunHandle(webhooks: WebhooksContext, runId: string): RunHandle | undefined {
  return webhooks.work.board.find(runId)
}
