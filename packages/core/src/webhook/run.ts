import type { Instant } from '../time/clock.ts'

/** How far a run has come. The first two can still change; `lost`: its server went away while it ran. */
export type RunStatus =
  | 'queued'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'timed_out'
  | 'canceled'
  | 'superseded'
  | 'lost'

/** All of them. */
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

/** Why a run failed or was cancelled. */
export type RunReason =
  | 'exit_code'
  | 'signal'
  | 'not_started'
  | 'output_limit'
  | 'canceled'
  | 'disconnect'
  | 'shutdown'

/** One execution of a webhook's command. Instants are in ms since the Unix epoch, lengths in ms or bytes. */
export interface Run {
  readonly run_id: string
  /** Of the webhook. */
  readonly id: string
  readonly status: RunStatus
  readonly reason: RunReason | null
  /** `null` until it has ended, and if it never started. */
  readonly exit_code: number | null
  readonly signal: string | null
  /** How often its command was started. */
  readonly attempts: number
  readonly created_at: Instant
  readonly started_at: Instant | null
  readonly finished_at: Instant | null
  readonly queued_ms: number
  readonly duration_ms: number | null
  readonly client_ip: string | null
  readonly request_id: string | null
  /** What was kept of the output, as text; what is not UTF-8 is U+FFFD. */
  readonly stdout: string
  readonly stderr: string
  /** How much the command wrote. */
  readonly stdout_bytes: number
  readonly stderr_bytes: number
  readonly stdout_truncated: boolean
  readonly stderr_truncated: boolean
  /** Program and arguments, where the history keeps them. */
  readonly argv?: readonly string[]
}

/** Whether nothing more will become of a run. */
export function hasEnded({ status }: Pick<Run, 'status'>): boolean {
  return status !== 'queued' && status !== 'running'
}
