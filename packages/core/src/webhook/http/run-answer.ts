import type { Answer } from '../../http/answer.ts'
import type { WebhookErrorCode } from '../errors.ts'
import type { FilledAnswer } from '../request/answer.ts'
import { hasEnded, type Run } from '../run.ts'
import type { KeptBytes } from '../runner/output/output-text.ts'
import type { HandshakeAnswer, Webhook } from '../webhook.ts'
import { type Refusal, refusalAnswer } from './error-response.ts'
import { bodyAnswer, jsonAnswer } from './json-answer.ts'
import { outputFields, runFields } from './run-json.ts'

/** A run to report to its caller. */
export interface AnsweredRun {
  readonly webhook: Webhook
  readonly run: Run
  /** The kept output, in bytes. */
  readonly stdout: KeptBytes
  /** Whether an earlier delivery of the same key made this run. */
  readonly isDuplicate: boolean
  /** The text of the configuration. */
  readonly answer: FilledAnswer | undefined
  readonly requestId: string
}

const plainText = 'text/plain; charset=utf-8'

interface Failure {
  readonly code: WebhookErrorCode
  readonly message: string
  readonly error?: string
}

/** The problem of a command that started and failed, or was ended for its output. */
function commandProblem({ reason, exit_code, signal }: Run): string {
  if (reason === 'output_limit') return 'the output exceeded its limit'
  if (exit_code === null) return 'killed from outside'
  return signal === null ? `exit status ${exit_code}` : `signal ${signal}`
}

function failureOf(run: Run): Failure | undefined {
  const { status, reason } = run
  if (status === 'succeeded') return undefined
  if (status === 'timed_out')
    return { code: 'command_timeout', message: 'the command exceeded its timeout' }
  if (status === 'superseded')
    return { code: 'superseded', message: 'a later request replaced the run' }
  if (status === 'canceled') {
    return reason === 'shutdown'
      ? { code: 'shutting_down', message: 'the server is shutting down' }
      : { code: 'canceled', message: 'the run was canceled' }
  }
  if (status === 'failed' && reason === 'not_started') {
    const { error } = run
    const message = 'the command could not be started'
    return { code: 'command_not_started', message, ...(error === undefined ? {} : { error }) }
  }
  if (status !== 'failed')
    return { code: 'internal_error', message: 'the result of the run is unknown' }
  return { code: 'command_failed', message: 'the command failed', error: commandProblem(run) }
}

const isByCommand = (code: WebhookErrorCode | undefined): boolean =>
  code === undefined || code === 'command_failed'

/** The status of an answer for the result of a command. For other problems the code determines it. */
function commandStatus({ exit_code, status }: Run, webhook: Webhook): number {
  const mapped = exit_code === null ? undefined : webhook.exit_status_map.get(exit_code)
  const byOutcome = status === 'succeeded' ? webhook.success_status : webhook.failure_status
  return mapped ?? byOutcome
}

/** The headers that a webhook adds, in lower case. They override others with the same name. */
export function ownHeaders({ response_headers: own }: Webhook): Readonly<Record<string, string>> {
  const known = lowerCased.get(own)
  if (known !== undefined) return known
  const headers = Object.fromEntries(
    Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]),
  )
  lowerCased.set(own, headers)
  return headers
}

/** Caches the headers of configurations, which never change. */
const lowerCased = new WeakMap<object, Readonly<Record<string, string>>>()

const duplicateField = (isDuplicate: boolean): Readonly<Record<string, unknown>> =>
  isDuplicate ? { duplicate: true } : {}

/** The answer about a finished run, in the format of its webhook. */
export function endedAnswer(answered: AnsweredRun): Answer {
  const { webhook, run, stdout, isDuplicate, requestId } = answered
  const failure = failureOf(run)
  const own = ownHeaders(webhook)
  if (answered.answer !== undefined && failure === undefined) {
    return fixedAnswer(commandStatus(run, webhook), answered, answered.answer)
  }
  if (webhook.response === 'text' && isByCommand(failure?.code)) {
    const isCut = stdout.bytes.length < stdout.total
    return bodyAnswer(commandStatus(run, webhook), stdout.bytes, {
      'content-type': plainText,
      'x-run-id': run.id,
      'x-exit-code': `${run.exit_code}`,
      ...(run.recorded === false ? { 'x-run-recorded': 'false' } : {}),
      ...(isCut ? { 'x-output-truncated': 'true' } : {}),
      ...own,
    })
  }
  const members = {
    ...runFields(run),
    ...duplicateField(isDuplicate),
    ...outputFields(run, webhook),
  }
  if (failure === undefined) {
    const body = { message: 'command executed', ...members }
    return jsonAnswer(commandStatus(run, webhook), body, own)
  }
  const { code, message, error } = failure
  const refusal: Refusal = {
    code,
    message,
    members: { ...(error === undefined ? {} : { error }), ...members },
    headers: own,
  }
  const status = isByCommand(code) ? { status: commandStatus(run, webhook) } : {}
  return refusalAnswer({ ...refusal, ...status }, requestId)
}

/** The answer with the text of the configuration. */
function fixedAnswer(
  status: number,
  { webhook, run }: AnsweredRun,
  { text, headers }: FilledAnswer,
): Answer {
  return bodyAnswer(status, text, {
    ...headers,
    'x-run-id': run.id,
    ...(run.recorded === false ? { 'x-run-recorded': 'false' } : {}),
    ...ownHeaders(webhook),
  })
}

/** The answer about a run that continues without its caller. */
export function acceptedAnswer(
  answered: AnsweredRun,
  statusUrl: string,
  headers: Readonly<Record<string, string>>,
): Answer {
  const { webhook, run, isDuplicate } = answered
  if (webhook.mode === 'async' && answered.answer !== undefined) {
    return fixedAnswer(webhook.success_status, answered, answered.answer)
  }
  const { webhook_id: id, id: run_id, status, recorded } = run
  const message = hasEnded(run) ? 'command executed' : 'command accepted'
  const body = {
    message,
    id,
    run_id,
    status,
    recorded,
    ...duplicateField(isDuplicate),
    status_url: statusUrl,
  }
  return jsonAnswer(202, body, { location: statusUrl, ...headers, ...ownHeaders(webhook) })
}

/** The answer to a ping or a challenge. What a stranger sent comes back only as text that no browser reads as a page. */
export function greetingAnswer(webhook: Webhook, { status, text, json }: HandshakeAnswer): Answer {
  const own = { 'x-content-type-options': 'nosniff', ...ownHeaders(webhook) }
  if (json !== undefined) return jsonAnswer(status, json, own)
  const hasBody = text !== undefined && status !== 204
  return bodyAnswer(status, hasBody ? text : '', { 'content-type': plainText, ...own })
}

/** The answer to a delivery that does not satisfy the rules of its webhook. */
export function skippedAnswer({ id, rules, response }: Webhook): Answer {
  const status = rules?.mismatch_status ?? 200
  const message = 'the rules are not satisfied; nothing was run'
  return response !== 'json'
    ? bodyAnswer(status, `${message}\n`, { 'content-type': plainText })
    : jsonAnswer(status, { message, id, status: 'skipped' })
}
