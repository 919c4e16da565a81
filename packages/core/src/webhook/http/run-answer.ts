import type { Answer } from '../../http/answer.ts'
import type { WebhookErrorCode } from '../errors.ts'
import { hasEnded, type Run } from '../run.ts'
import type { Webhook } from '../webhook.ts'
import { type Refusal, refusalAnswer } from './error-response.ts'
import { bodyAnswer, jsonAnswer } from './json-answer.ts'
import { outputFields, runFields } from './run-json.ts'

/** A run as its caller is to be told of it. */
export interface AnsweredRun {
  readonly webhook: Webhook
  readonly run: Run
  /** Whether an earlier delivery of the same key made this run. */
  readonly isDuplicate: boolean
  readonly requestId: string
}

interface Failure {
  readonly code: WebhookErrorCode
  readonly message: string
  readonly error?: string
}

/** What went wrong with a command that was started and ended by itself, or was ended for its output. */
function commandProblem({ reason, exit_code, signal }: Run): string {
  if (reason === 'output_limit') return 'more output than is allowed'
  if (exit_code === null) return 'killed by somebody else'
  return signal === null ? `exit status ${exit_code}` : `signal ${signal}`
}

function failureOf(run: Run): Failure | undefined {
  const { status, reason } = run
  if (status === 'succeeded') return undefined
  if (status === 'timed_out')
    return { code: 'command_timeout', message: 'the command took too long' }
  if (status === 'superseded')
    return { code: 'superseded', message: 'a later request took its place' }
  if (status === 'canceled') {
    return reason === 'shutdown'
      ? { code: 'shutting_down', message: 'the server is shutting down' }
      : { code: 'canceled', message: 'the run was cancelled' }
  }
  if (status === 'failed' && reason === 'not_started') {
    return { code: 'command_not_started', message: 'the command could not be started' }
  }
  if (status !== 'failed')
    return { code: 'internal_error', message: 'what became of the run is not known' }
  return { code: 'command_failed', message: 'the command failed', error: commandProblem(run) }
}

const isByCommand = (code: WebhookErrorCode | undefined): boolean =>
  code === undefined || code === 'command_failed'

/** The status of an answer about what a command did; of everything else the code says it. */
function commandStatus({ exit_code, status }: Run, webhook: Webhook): number {
  const mapped = exit_code === null ? undefined : webhook.exit_status_map.get(exit_code)
  const byOutcome = status === 'succeeded' ? webhook.success_status : webhook.failure_status
  return mapped ?? byOutcome
}

/** The headers a webhook adds: they win over those with the same name in whatever case. */
export function ownHeaders({ response_headers: own }: Webhook): Readonly<Record<string, string>> {
  const known = lowerCased.get(own)
  if (known !== undefined) return known
  const headers = Object.fromEntries(
    Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]),
  )
  lowerCased.set(own, headers)
  return headers
}

/** Headers of configurations, each of which stays as it is. */
const lowerCased = new WeakMap<object, Readonly<Record<string, string>>>()

const duplicateField = (isDuplicate: boolean): Readonly<Record<string, unknown>> =>
  isDuplicate ? { duplicate: true } : {}

/** The answer about a run that has ended, in the form its webhook asks for. */
export function endedAnswer({ webhook, run, isDuplicate, requestId }: AnsweredRun): Answer {
  const failure = failureOf(run)
  const own = ownHeaders(webhook)
  if (webhook.response === 'text' && isByCommand(failure?.code)) {
    return bodyAnswer(commandStatus(run, webhook), run.stdout, {
      'content-type': 'text/plain; charset=utf-8',
      'x-run-id': run.run_id,
      'x-exit-code': `${run.exit_code}`,
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

/** The answer about a run that goes on without its caller. */
export function acceptedAnswer(
  { webhook, run, isDuplicate }: AnsweredRun,
  statusUrl: string,
  headers: Readonly<Record<string, string>>,
): Answer {
  const { id, run_id, status } = run
  const message = hasEnded(run) ? 'command executed' : 'command accepted'
  const body = {
    message,
    id,
    run_id,
    status,
    ...duplicateField(isDuplicate),
    status_url: statusUrl,
  }
  return jsonAnswer(202, body, { location: statusUrl, ...headers, ...ownHeaders(webhook) })
}

/** The answer to a delivery that the rules of its webhook pass over. */
export function skippedAnswer({ id, rules }: Webhook): Answer {
  const body = { message: 'the rules are not satisfied; nothing was run', id, status: 'skipped' }
  return jsonAnswer(rules?.mismatch_status ?? 200, body)
}
