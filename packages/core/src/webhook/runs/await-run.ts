import { type Fields, having, numberFrom, optional } from '../../input/decode.ts'
import type { Delivered, RunHandle } from '../board/run-handle.ts'
import type { WebhooksContext } from '../context.ts'
import type { Run } from '../run.ts'
import type { Webhook } from '../webhook.ts'

/** How long {@link runWebhook} and {@link triggerWebhook} wait, and how to cancel the run. */
export interface RunOptions {
  /**
   * Whether to wait for the end of the run, or the longest wait in ms. Without waiting, the result is a run that is queued or
   * whose command has started (default: the `mode` and `sync_wait` of the webhook).
   */
  wait?: boolean | number
  /** Cancels the run. If an earlier delivery made the run, it continues, and only this call stops waiting. */
  signal?: AbortSignal
}

/** Decoders for the options. */
export const runOptionFields: Fields<RunOptions> = {
  wait: (value) =>
    value === undefined || typeof value === 'boolean' ? value : numberFrom(0)(value),
  signal: optional(having<AbortSignal>('an AbortSignal', 'throwIfAborted', 'addEventListener')),
}

/** The delivery did not satisfy the rules of the webhook, or needed no run, so nothing ran. */
export interface SkippedDelivery {
  readonly status: 'skipped'
  /** The id of the webhook. */
  readonly webhook_id: string
  /** The answer that a sender gets by the `answers` of the webhook, such as to a challenge. */
  readonly answer?: {
    readonly status: number
    readonly text: string
    /** By lower-case name. */
    readonly headers: Readonly<Record<string, string>>
  }
}

/** How long to wait for the end, in ms; `undefined` for no limit. */
function waitMsOf({ mode, sync_wait }: Webhook, wait: RunOptions['wait']): number | undefined {
  if (typeof wait === 'number') return wait
  if (wait === undefined) return mode === 'sync' ? sync_wait : 0
  return wait ? undefined : 0
}

/** A run once it is queued, its command has started, or it has ended without starting. */
function beginning(run: RunHandle): Run | Promise<Run> {
  const seen = run.snapshot()
  return seen.status === 'queued' ? seen : run.started
}

/** Waits for the result of a delivery as long as its caller wants. */
export async function awaitRun(
  { clock }: WebhooksContext,
  delivered: Delivered,
  { wait, signal }: RunOptions,
): Promise<Run | SkippedDelivery> {
  if (delivered.kind === 'greeted') return { status: 'skipped', webhook_id: delivered.webhook.id }
  if (delivered.kind === 'skipped') {
    const { webhook, answer } = delivered
    return {
      status: 'skipped',
      webhook_id: webhook.id,
      ...(answer === undefined ? {} : { answer }),
    }
  }
  const { webhook, run, isDuplicate } = delivered
  const waitMs = waitMsOf(webhook, wait)
  let stopWaiting = (): void => {}
  const enough = new Promise<void>((resolve) => {
    stopWaiting = resolve
  })
  const onAbort = (): void => (isDuplicate ? stopWaiting() : run.cancel('canceled'))
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()
  if (waitMs === 0) return beginning(run)
  const cancelTimer = waitMs === undefined ? () => {} : clock.setTimer(waitMs, stopWaiting)
  const ended = await Promise.race([run.ended, enough])
  cancelTimer()
  signal?.removeEventListener('abort', onAbort)
  return ended ?? beginning(run)
}
