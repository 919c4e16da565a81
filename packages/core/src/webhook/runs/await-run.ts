import { type Fields, having, numberFrom, optional } from '../../input/decode.ts'
import type { WebhooksContext } from '../context.ts'
import type { Run } from '../run.ts'
import type { Webhook } from '../webhook.ts'
import type { Delivered, RunHandle } from './run-handle.ts'

/** How long {@link runWebhook} and {@link triggerWebhook} wait, and what ends the run before its time. */
export interface RunOptions {
  /**
   * Whether to wait for the end of the run, or for how many ms at most; what is answered without it has its place in line,
   * or its command was started (default: as the `mode` and `sync_wait` of the webhook say).
   */
  wait?: boolean | number
  /** Cancels the run. One that an earlier delivery made goes on, and is no longer waited for. */
  signal?: AbortSignal
}

/** What reads the members of options. */
export const runOptionFields: Fields<RunOptions> = {
  wait: (value) =>
    value === undefined || typeof value === 'boolean' ? value : numberFrom(0)(value),
  signal: optional(having<AbortSignal>('an AbortSignal', 'throwIfAborted', 'addEventListener')),
}

/** The rules of the webhook were not satisfied: nothing ran. */
export interface SkippedDelivery {
  readonly status: 'skipped'
  /** Of the webhook. */
  readonly id: string
}

/** How long is waited for the end, in ms; `undefined` for as long as it takes. */
function waitMsOf({ mode, sync_wait }: Webhook, wait: RunOptions['wait']): number | undefined {
  if (typeof wait === 'number') return wait
  if (wait === undefined) return mode === 'sync' ? sync_wait : 0
  return wait ? undefined : 0
}

/** A run once it has its place in line, its command was started, or it has ended without that. */
function beginning(run: RunHandle): Run | Promise<Run> {
  const seen = run.snapshot()
  return seen.status === 'queued' ? seen : run.started
}

/** Waits for what came of a delivery as long as its caller wants to. */
export async function awaitRun(
  { clock }: WebhooksContext,
  delivered: Delivered,
  { wait, signal }: RunOptions,
): Promise<Run | SkippedDelivery> {
  if (delivered.kind === 'skipped') return { status: 'skipped', id: delivered.webhook.id }
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
