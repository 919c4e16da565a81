import type { Instant } from '../../time/clock.ts'
import { outputFieldsOf, type RunOutputs } from '../records/run-record.ts'
import type { Run, RunCause, RunReason, RunStatus } from '../run.ts'
import type { CommandResult } from '../runner/command.ts'

/** The facts of a run that never change. */
export interface RunFacts
  extends Pick<Run, 'id' | 'webhook_id' | 'created_at' | 'client_ip' | 'request_id'> {
  readonly argv?: readonly string[]
  readonly cause?: RunCause
}

/** The cause of the end of a run that did not end by itself. */
export type EndCause =
  | 'timed_out'
  | 'output_limit'
  | 'superseded'
  | 'canceled'
  | 'disconnect'
  | 'shutdown'
  /** Other processes declared this one dead, and the run lost. */
  | 'lost'

/** The result of a command. */
export type CommandOutcome =
  /** It was ended before it started. */
  | { readonly kind: 'dropped'; readonly cause: EndCause }
  | { readonly kind: 'not_started'; readonly problem: string }
  | { readonly kind: 'ended'; readonly result: CommandResult; readonly cause: EndCause | undefined }
  /** It was started, and its result cannot be known. */
  | { readonly kind: 'vanished'; readonly cause: EndCause | undefined }

/** A newly accepted run. */
export function queuedRun(facts: RunFacts): Run {
  const run: Run = {
    id: facts.id,
    webhook_id: facts.webhook_id,
    status: 'queued',
    reason: null,
    exit_code: null,
    signal: null,
    attempts: 0,
    created_at: facts.created_at,
    started_at: null,
    finished_at: null,
    queued_ms: 0,
    duration_ms: null,
    client_ip: facts.client_ip,
    request_id: facts.request_id,
    stdout: '',
    stderr: '',
    stdout_bytes: 0,
    stderr_bytes: 0,
    stdout_truncated: false,
    stderr_truncated: false,
  }
  const { argv, cause } = facts
  return argv === undefined && cause === undefined
    ? run
    : { ...run, ...(argv && { argv }), ...(cause && { cause }) }
}

/** A run with a place, whose command starts now. */
export function runningRun(run: Run, now: Instant): Run {
  return {
    ...run,
    status: 'running',
    attempts: 1,
    started_at: now,
    queued_ms: Math.max(0, now - run.created_at),
  }
}

type Verdict = Pick<Run, 'status' | 'reason'>

const causes: Readonly<Record<EndCause, Verdict>> = {
  timed_out: { status: 'timed_out', reason: null },
  output_limit: { status: 'failed', reason: 'output_limit' },
  superseded: { status: 'superseded', reason: null },
  canceled: { status: 'canceled', reason: 'canceled' },
  disconnect: { status: 'canceled', reason: 'disconnect' },
  shutdown: { status: 'canceled', reason: 'shutdown' },
  lost: { status: 'lost', reason: null },
}

const verdict = (status: RunStatus, reason: RunReason | null): Verdict => ({ status, reason })

function verdictOf(outcome: CommandOutcome): Verdict {
  if (outcome.kind === 'not_started') return verdict('failed', 'not_started')
  if (outcome.cause !== undefined) return causes[outcome.cause]
  // A command vanishes only if its launcher was killed.
  if (outcome.kind === 'vanished') return verdict('failed', 'signal')
  const { exitCode, signal } = outcome.result
  if (signal !== null) return verdict('failed', 'signal')
  return exitCode === 0 ? verdict('succeeded', null) : verdict('failed', 'exit_code')
}

/** A run that ended now. */
export function endedRun(
  run: Run,
  outcome: CommandOutcome,
  outputs: RunOutputs,
  now: Instant,
): Run {
  const ran = outcome.kind === 'ended' || outcome.kind === 'vanished'
  const result = outcome.kind === 'ended' ? outcome.result : undefined
  return {
    ...run,
    ...(outcome.kind === 'not_started' ? { error: outcome.problem } : {}),
    ...verdictOf(outcome),
    ...outputFieldsOf(outputs),
    exit_code: result?.exitCode ?? null,
    signal: result?.signal ?? null,
    attempts: ran ? run.attempts : 0,
    started_at: ran ? run.started_at : null,
    finished_at: now,
    queued_ms: run.started_at === null ? Math.max(0, now - run.created_at) : run.queued_ms,
    duration_ms: ran && run.started_at !== null ? Math.max(0, now - run.started_at) : null,
  }
}
