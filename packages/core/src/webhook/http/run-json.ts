import type { Instant } from '../../time/clock.ts'
import { hasEnded, type Run, type RunCause } from '../run.ts'
import type { Webhook } from '../webhook.ts'
import type * as wire from '../wire/types.generated.ts'

/** A run as clients see it: instants are RFC 3339 text. */
export type GettableRun = wire.Run

const timeText = (at: Instant | null): string | null =>
  at === null ? null : new Date(at).toISOString()

const causeText = (cause: RunCause): NonNullable<wire.Run['cause']> =>
  cause.type === 'schedule' ? { ...cause, at: new Date(cause.at).toISOString() } : cause

/** Formats the record of a run for clients. */
export function toGettableRun({ id, webhook_id, cause, ...run }: Run): GettableRun {
  return {
    run_id: id,
    id: webhook_id,
    ...run,
    created_at: new Date(run.created_at).toISOString(),
    started_at: timeText(run.started_at),
    finished_at: timeText(run.finished_at),
    ...(cause && { cause: causeText(cause) }),
  }
}

/** The fields of a run in an answer to a delivery. */
export interface RunFields {
  readonly id: string
  readonly run_id: string
  readonly status: Run['status']
  /** Only if the run did not succeed. */
  readonly reason: NonNullable<Run['reason']> | undefined
  readonly exit_code: number | null
  readonly signal: string | null
  readonly duration_ms: number | null
  readonly queued_ms: number
  /** Only if the end is not recorded. */
  readonly recorded: false | undefined
}

/** The fields that every answer about a run has. */
export function runFields(run: Run): RunFields {
  const { id: run_id, webhook_id: id, status, reason, exit_code, signal } = run
  const { duration_ms, queued_ms, recorded } = run
  const why = reason ?? undefined
  return { id, run_id, status, reason: why, exit_code, signal, duration_ms, queued_ms, recorded }
}

/** The output in an answer, as far as the webhook shows it. */
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
