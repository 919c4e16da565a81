import type { Instant } from '../time/clock.ts'

/** The status of a run. The first two can still change; `lost`: its server disappeared while it ran. */
export type RunStatus =
  | 'queued'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'timed_out'
  | 'canceled'
  | 'superseded'
  | 'lost'

/** All statuses. */
export const runStatuses: readonly RunStatus[] = [
  'queued',
  'running',
  'succeeded',
  'failed',
  'timed_out',
  'canceled',
  'superseded',
  'lost',
]

/** The reason why a run failed or was canceled. */
export type RunReason =
  | 'exit_code'
  | 'signal'
  | 'not_started'
  | 'output_limit'
  | 'canceled'
  | 'disconnect'
  | 'shutdown'

/** All reasons. */
export const runReasons: readonly RunReason[] = [
  'exit_code',
  'signal',
  'not_started',
  'output_limit',
  'canceled',
  'disconnect',
  'shutdown',
]

/** What started a run, unless the proof of a sender did: a token, a signature or an address. */
export type RunCause =
  /** A sender whom `authorize` let run the webhook, such as a user of the console; `kind` as in its `Subject`. */
  | { readonly type: 'subject'; readonly id: string; readonly kind?: string }
  /** The time of its schedule. */
  | { readonly type: 'schedule'; readonly at: Instant }
  /** The end of a run of another webhook; `depth` counts the runs in this chain, from 1. */
  | { readonly type: 'run'; readonly run_id: string; readonly depth: number }
  /** A notification about an alert group; `group_hash` is the SHA-256 of its key in hex. */
  | { readonly type: 'alert'; readonly receiver: string; readonly group_hash: string }

/** One execution of a webhook's command. Instants are in ms since the Unix epoch, durations in ms, sizes in bytes. */
export interface Run {
  readonly id: string
  /** The id of the webhook. */
  readonly webhook_id: string
  readonly status: RunStatus
  readonly reason: RunReason | null
  /** `null` until it has ended, and if it never started. */
  readonly exit_code: number | null
  readonly signal: string | null
  /** How many times its command was started. */
  readonly attempts: number
  readonly created_at: Instant
  readonly started_at: Instant | null
  readonly finished_at: Instant | null
  readonly queued_ms: number
  readonly duration_ms: number | null
  readonly client_ip: string | null
  readonly request_id: string | null
  /** What started it; absent if a delivery with a token or a signature did. */
  readonly cause?: RunCause
  /** The kept part of the output as text; bytes that are not UTF-8 become U+FFFD. */
  readonly stdout: string
  readonly stderr: string
  /** The number of bytes that the command wrote. */
  readonly stdout_bytes: number
  readonly stderr_bytes: number
  readonly stdout_truncated: boolean
  readonly stderr_truncated: boolean
  /** Why its command did not start. */
  readonly error?: string
  /** Program and arguments, if the history keeps them. */
  readonly argv?: readonly string[]
  /** The run has ended, and the storage could not record that yet: if its server dies before, the run will be `lost`. */
  readonly recorded?: false
}

/** Whether the status of a run is final. */
export function hasEnded({ status }: Pick<Run, 'status'>): boolean {
  return status !== 'queued' && status !== 'running'
}
