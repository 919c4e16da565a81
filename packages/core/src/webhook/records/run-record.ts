import { defineCollection, type TypedCollection } from '../../storage/collection.ts'
import {
  flag,
  instant,
  listOf,
  nullable,
  number,
  objectOf,
  oneOf,
  optional,
  type RecordCheck,
  text,
  variantsOf,
} from '../../storage/record-check.ts'
import type { Instant } from '../../time/clock.ts'
import { hasEnded, type Run, type RunCause, runStatuses } from '../run.ts'
import { type KeptBytes, keepBytes, outputText } from '../runner/output/output-text.ts'
import type { WebhookHistory } from '../webhook.ts'

/** A stored run. Its output has a record of its own, so that lists need not read it. */
export interface StoredRun
  extends Omit<Run, 'id' | 'webhook_id' | 'stdout' | 'stderr' | 'recorded'> {
  readonly run_id: string
  /** The id of its webhook. */
  readonly webhook: string
  /** The process that owns it, until it has ended. */
  readonly server?: string
  /** The record of its deduplication key; see `dedupe.ts`. */
  readonly dedupe?: string
}

/** The output of a run, as far as the history keeps it. */
export interface StoredOutput {
  readonly stdout: string
  readonly stderr: string
  /** The bytes, if they are not UTF-8. */
  readonly stdout_base64?: string
  readonly stderr_base64?: string
}

const causeCheck: RecordCheck = variantsOf<RunCause['type']>({
  subject: objectOf<RunCause & { type: 'subject' }>({ type: text, id: text, kind: optional(text) }),
  schedule: objectOf<RunCause & { type: 'schedule' }>({ type: text, at: instant }),
  run: objectOf<RunCause & { type: 'run' }>({ type: text, run_id: text, depth: number }),
  alert: objectOf<RunCause & { type: 'alert' }>({ type: text, receiver: text, group_hash: text }),
})

/** Checks a stored run. */
export const storedRunCheck: RecordCheck = objectOf<StoredRun>({
  run_id: text,
  webhook: text,
  server: optional(text),
  dedupe: optional(text),
  status: oneOf(runStatuses),
  reason: nullable(text),
  exit_code: nullable(number),
  signal: nullable(text),
  attempts: number,
  created_at: instant,
  started_at: nullable(instant),
  finished_at: nullable(instant),
  queued_ms: number,
  duration_ms: nullable(number),
  client_ip: nullable(text),
  request_id: nullable(text),
  stdout_bytes: number,
  stderr_bytes: number,
  stdout_truncated: flag,
  stderr_truncated: flag,
  error: optional(text),
  argv: optional(listOf(text)),
  cause: optional(causeCheck),
})

/** By run id. Later runs have later ids. */
export const runCollection: TypedCollection<StoredRun> = defineCollection<StoredRun>({
  name: 'webhook_runs',
  fields: { webhook: 'text', server: 'text' },
  unreadable: 'skip',
  check: storedRunCheck,
})

/** By run id. A run without output has no record. */
export const outputCollection: TypedCollection<StoredOutput> = defineCollection<StoredOutput>({
  name: 'webhook_run_outputs',
  unreadable: 'skip',
  check: objectOf<StoredOutput>({
    stdout: text,
    stderr: text,
    stdout_base64: optional(text),
    stderr_base64: optional(text),
  }),
})

/** The output of a run, as bytes. */
export interface RunOutputs {
  readonly stdout: KeptBytes
  readonly stderr: KeptBytes
  /** Which end is kept. */
  readonly keep: 'head' | 'tail'
}

const noBytes: KeptBytes = { bytes: new Uint8Array(), total: 0 }

/** No output. */
export const noOutputs: RunOutputs = { stdout: noBytes, stderr: noBytes, keep: 'head' }

type OutputFields = Pick<
  Run,
  'stdout' | 'stderr' | 'stdout_bytes' | 'stderr_bytes' | 'stdout_truncated' | 'stderr_truncated'
>

/** The output fields of a run, with at most this many bytes of each stream. */
export function outputFieldsOf(
  { stdout, stderr, keep }: RunOutputs,
  limit: number = Number.POSITIVE_INFINITY,
): OutputFields {
  const keptOut = keepBytes(stdout, limit, keep)
  const keptErr = keepBytes(stderr, limit, keep)
  return {
    stdout: outputText(keptOut, keep),
    stderr: outputText(keptErr, keep),
    stdout_bytes: stdout.total,
    stderr_bytes: stderr.total,
    stdout_truncated: keptOut.bytes.length < stdout.total,
    stderr_truncated: keptErr.bytes.length < stderr.total,
  }
}

/** Fields that only the record of a run in progress has. */
export type RunOwner = Pick<StoredRun, 'server' | 'dedupe'>

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** The record of a run, and the record of its output, if it has any. */
export interface RunRecords {
  readonly run: StoredRun
  readonly output: StoredOutput | undefined
}

/** Converts a run into records; `bytes` are those of outputs that are not UTF-8. */
export function toRunRecords(
  run: Run,
  owner: RunOwner,
  bytes?: Pick<StoredOutput, 'stdout_base64' | 'stderr_base64'>,
): RunRecords {
  const { stdout, stderr } = run
  const output = stdout === '' && stderr === '' ? undefined : { stdout, stderr, ...bytes }
  return { run: toStoredRun(run, hasEnded(run) ? {} : owner), output }
}

/** Every record has the same members in the same order, each written out: engines read such objects much faster. */
function toStoredRun(run: Run, { server, dedupe }: RunOwner): StoredRun {
  const record: Mutable<StoredRun> = {
    run_id: run.id,
    webhook: run.webhook_id,
    status: run.status,
    reason: run.reason,
    exit_code: run.exit_code,
    signal: run.signal,
    attempts: run.attempts,
    created_at: run.created_at,
    started_at: run.started_at,
    finished_at: run.finished_at,
    queued_ms: run.queued_ms,
    duration_ms: run.duration_ms,
    client_ip: run.client_ip,
    request_id: run.request_id,
    stdout_bytes: run.stdout_bytes,
    stderr_bytes: run.stderr_bytes,
    stdout_truncated: run.stdout_truncated,
    stderr_truncated: run.stderr_truncated,
  }
  if (run.error !== undefined) record.error = run.error
  if (run.argv !== undefined) record.argv = run.argv
  if (run.cause !== undefined) record.cause = run.cause
  if (server !== undefined) record.server = server
  if (dedupe !== undefined) record.dedupe = dedupe
  return record
}

/** Restores a run from its record and its output. */
export function toRun(
  { run_id, webhook, server: _server, dedupe: _dedupe, ...facts }: StoredRun,
  { stdout, stderr }: StoredOutput = { stdout: '', stderr: '' },
): Run {
  return { ...facts, id: run_id, webhook_id: webhook, stdout, stderr }
}

/** Whether a run may have a record of its output. */
export function hasOutput({ stdout_bytes, stderr_bytes }: StoredRun): boolean {
  return stdout_bytes + stderr_bytes > 0
}

/** A run whose process is dead. The time of its end is unknown. */
export function lostRun({ server: _server, dedupe: _dedupe, ...run }: StoredRun): StoredRun {
  return { ...run, status: 'lost' }
}

/** When the record of a run that ended now expires. */
export function forgottenAt(now: Instant, { max_age }: WebhookHistory): Instant {
  return now + max_age
}
