import { noOutputs } from '../records/run-record.ts'
import type { Run } from '../run.ts'
import type { OutputStream } from '../runner/command.ts'
import type { Webhook } from '../webhook.ts'
import type { FollowOutput, RunHandle } from './run-handle.ts'

/** A run that a test controls. */
export interface ScriptedRun {
  readonly handle: RunHandle
  /** The reason of each cancellation. */
  readonly cancels: readonly string[]
  /** Whether somebody follows its output. */
  isFollowed(): boolean
  /** Writes a piece of output; settles when the follower accepts more. */
  write(stream: OutputStream, text: string | Uint8Array): Promise<void>
  start(): void
  end(run?: Partial<Run>): void
}

const created = Date.UTC(2026, 0, 1)

/** A newly accepted run, with these facts. */
export function sampleRun(facts: Partial<Run> = {}): Run {
  return {
    id: 'run_01kdrt3g0000000000000000aa',
    webhook_id: 'deploy',
    status: 'queued',
    reason: null,
    exit_code: null,
    signal: null,
    attempts: 0,
    created_at: created,
    started_at: null,
    finished_at: null,
    queued_ms: 0,
    duration_ms: null,
    client_ip: null,
    request_id: null,
    stdout: '',
    stderr: '',
    stdout_bytes: 0,
    stderr_bytes: 0,
    stdout_truncated: false,
    stderr_truncated: false,
    ...facts,
  }
}

const running: Partial<Run> = { status: 'running', attempts: 1, started_at: created }

/** The facts of a run that succeeded after 412 ms. */
export const succeeded: Partial<Run> = {
  ...running,
  status: 'succeeded',
  exit_code: 0,
  finished_at: created + 412,
  duration_ms: 412,
}

/** A promise and its resolver. */
function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** A run whose command has not started yet. */
export function createScriptedRun(webhook: Webhook): ScriptedRun {
  let run = sampleRun({ webhook_id: webhook.id })
  let follower: FollowOutput | undefined
  let settle = (): void => {}
  const cancels: string[] = []
  const started = deferred<Run>()
  const ended = deferred<Run>()
  const handle: RunHandle = {
    run_id: run.id,
    webhook,
    snapshot: () => run,
    outputs: () => noOutputs,
    started: started.promise,
    ended: ended.promise,
    follow(listener) {
      follower = listener
      const done = new Promise<void>((resolve) => {
        settle = resolve
      })
      const stop = (): void => {
        follower = undefined
        settle()
      }
      return { done, stop }
    },
    cancel: (reason) => void cancels.push(reason),
  }
  return {
    handle,
    cancels,
    isFollowed: () => follower !== undefined,
    async write(stream, text) {
      await follower?.(stream, typeof text === 'string' ? new TextEncoder().encode(text) : text)
    },
    start() {
      run = { ...run, ...running }
      started.resolve(run)
    },
    end(facts = succeeded) {
      run = { ...run, ...facts }
      started.resolve(run)
      settle()
      ended.resolve(run)
    },
  }
}
