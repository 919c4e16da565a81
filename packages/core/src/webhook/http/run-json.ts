import type { Instant } from '../../time/clock.ts'
import { hasEnded, type Run } from '../run.ts'
import type { Webhook } from '../webhook.ts'

/** A run as clients see it: its instants are RFC 3339 text. */
export interface GettableRun extends Omit<Run, 'created_at' | 'started_at' | 'finished_at'> {
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string | null
}

const timeText = (at: Instant | null): string | null =>
  at === null ? null : new Date(at).toISOString()

/** The record of a run as it is answered. */
export function toGettableRun(run: Run): GettableRun {
  return {
    ...run,
    created_at: new Date(run.created_at).toISOString(),
    started_at: timeText(run.started_at),
    finished_at: timeText(run.finished_at),
  }
}

/** What an answer to a delivery says of its run. */
export interface RunFields {
  readonly id: string
  readonly run_id: string
  readonly status: Run['status']
  /** Only of a run that did not succeed. */
  readonly reason: string | undefined
  readonly exit_code: number | null
  readonly signal: string | null
  readonly duration_ms: number | null
  readonly queued_ms: number
}

/** What every answer about a run says of it. */
export function runFields(run: Run): RunFields {
  const { id, run_id, status, reason, exit_code, signal, duration_ms, queued_ms } = run
  const why = reason ?? undefined
  return { id, run_id, status, reason: why, exit_code, signal, duration_ms, queued_ms }
}

/** What an answer shows of a run's output, as far as its webhook lets it. */
export function outputFields(
  run: Run,
  { include_output }: Webhook,
): Readonly<Record<string, unknown>> {
  const isWanted =
    include_output === 'on_error' ? run.status !== 'succeeded' : include_output === 'always'
  if (!isWanted || !hasEnded(run)) return {}
  return {
    stdout: run.stdout,
    stderr: run.stderr,
    ...(run.stdout_truncated ? { stdout_truncated: true } : {}),
    ...(run.stderr_truncated ? { stderr_truncated: true } : {}),
  }
}
