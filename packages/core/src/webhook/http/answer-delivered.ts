import type { Answer } from '../../http/answer.ts'
import type { Delivered, RunHandle } from '../board/run-handle.ts'
import type { WebhooksContext } from '../context.ts'
import { hasEnded, type Run } from '../run.ts'
import type { Webhook } from '../webhook.ts'
import type { Callers } from './callers.ts'
import type { Exchange } from './exchange.ts'
import { bodyAnswer } from './json-answer.ts'
import { type Preferences, readPreferences } from './prefer.ts'
import {
  type AnsweredRun,
  acceptedAnswer,
  endedAnswer,
  greetingAnswer,
  ownHeaders,
  skippedAnswer,
} from './run-answer.ts'
import { streamAnswer } from './stream-answer.ts'

/** The parts that {@link answerDelivered} needs. */
export interface DeliveredExchange {
  readonly webhooks: WebhooksContext
  readonly callers: Callers
  readonly exchange: Exchange
  readonly delivered: Delivered
}

type DeliveredRun = Extract<Delivered, { kind: 'run' }>

/** How long a caller waits for the end of a run, in ms; `undefined` for no limit. */
function waitOf(
  { mode, sync_wait }: Webhook,
  { respondAsync, waitMs }: Preferences,
): number | undefined {
  if (mode === 'async') return 0
  const preferred = waitMs ?? (respondAsync ? 0 : undefined)
  if (sync_wait === undefined || preferred === undefined) return sync_wait ?? preferred
  return Math.min(sync_wait, preferred)
}

/** Answers an admitted delivery: when its run has ended, or earlier, as the webhook and the caller want it. */
export async function answerDelivered(given: DeliveredExchange): Promise<Answer> {
  const { webhooks, callers, exchange, delivered } = given
  if (delivered.kind === 'skipped') {
    const { webhook, answer } = delivered
    exchange.about.state = answer === undefined ? 'skipped' : 'answered'
    if (answer === undefined) return skippedAnswer(webhook)
    return bodyAnswer(answer.status, answer.text, answer.headers)
  }
  if (delivered.kind === 'greeted') {
    exchange.about.state = 'skipped'
    return greetingAnswer(delivered.webhook, delivered.answer)
  }
  const { webhook, run } = delivered
  if (webhook.mode === 'stream') return answerWithStream(given, delivered)
  const preferences = readPreferences(exchange.request.headers.get('prefer') ?? undefined)
  const waitMs = waitOf(webhook, preferences)
  const signal = webhook.on_disconnect === 'cancel' ? exchange.request.signal : undefined
  const hasEndedMeanwhile = waitMs !== 0 && (await callers.wait(run, { waitMs, signal }))
  const seen = hasEndedMeanwhile ? await run.ended : await beginning(run)
  const answered = toAnswered(given, delivered, seen)
  // A command that could not start is a failure, whether the caller waits or not.
  if (hasEndedMeanwhile || (hasEnded(seen) && seen.started_at === null))
    return endedAnswer(answered)
  const applied = preferences.respondAsync && webhook.mode === 'sync'
  const headers: Record<string, string> = applied ? { 'preference-applied': 'respond-async' } : {}
  return acceptedAnswer(answered, statusUrl(webhooks, exchange, run), headers)
}

/** The state of a run once it has its place in the queue, or its command has started or failed to start. */
async function beginning(run: RunHandle): Promise<Run> {
  const seen = run.snapshot()
  return seen.status === 'queued' ? seen : run.started
}

/** The URL of a run's record, below the path that the routes are mounted at. */
function statusUrl({ config }: WebhooksContext, { info }: Exchange, { run_id }: RunHandle): string {
  return `${info.mountPath}${config.current.base_path}/runs/${run_id}`
}

function toAnswered(
  { exchange }: DeliveredExchange,
  delivered: DeliveredRun,
  run: Run,
): AnsweredRun {
  const { webhook, isDuplicate, answer } = delivered
  exchange.about.run = run
  const { stdout } = delivered.run.outputs()
  return { webhook, run, stdout, isDuplicate, answer, requestId: exchange.requestId }
}

/** Streams the output of a run, once its command has started. */
async function answerWithStream(
  given: DeliveredExchange,
  delivered: DeliveredRun,
): Promise<Answer> {
  const { webhooks, callers, exchange } = given
  const { run, webhook } = delivered
  const leave = callers.join(run)
  const { signal, headers } = exchange.request
  const leaveIfCanceled = (): void => leave(webhook.on_disconnect === 'cancel')
  signal.addEventListener('abort', leaveIfCanceled, { once: true })
  if (signal.aborted) leaveIfCanceled()
  const started = await run.started
  signal.removeEventListener('abort', leaveIfCanceled)
  const answered = toAnswered(given, delivered, started)
  if (started.started_at === null) {
    leave(false)
    return endedAnswer({ ...answered, run: await run.ended })
  }
  void run.ended.then(() => leave(false))
  return streamAnswer(run, {
    clock: webhooks.clock,
    streams: ['stdout', 'stderr'],
    headers,
    onGone: leaveIfCanceled,
    own: { 'x-run-id': run.run_id, ...ownHeaders(webhook) },
  })
}
