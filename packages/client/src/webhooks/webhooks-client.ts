import { createCaller, splitPlace } from '../call.ts'
import { type ChangesOptions, followChanges } from '../changes.ts'
import { GatehouseClientError } from '../client-error.ts'
import { bodyOf, type CallOptions, type ClientOptions, createRequester } from '../request.ts'
import { eventStream, isEventStream, serverSentEvents } from '../server-sent-events.ts'
import type {
  AcceptedRun,
  CancelingRun,
  DeliveryTest,
  ExecutedRun,
  RefusalList,
  Run,
  RunFacts,
  RunPage,
  RunStatus,
  SkippedDelivery,
  TestedDelivery,
  WebhookCalls,
  WebhookList,
} from '../types.ts'

/** Options of {@link createWebhooksClient}. */
export interface WebhooksClientOptions extends ClientOptions {
  /** The token of webhooks, or of the administrator (default: each call gives one, or `headers` do). */
  readonly token?: string
}

/** Options of calls with a token. */
export interface TokenOptions extends CallOptions {
  /** In place of the token of the client. */
  readonly token?: string
}

/** Options of running a webhook. */
export interface RunOptions extends TokenOptions {
  /** How many seconds to wait for its end; 0 for not at all (default: as long as the webhook waits). */
  readonly waitSeconds?: number
  /** More headers, such as the key of a delivery. */
  readonly headers?: Readonly<Record<string, string>>
  /** Parameters in the address, for webhooks that read them. */
  readonly query?: Readonly<Record<string, string>>
}

/** The output of a webhook that answers with text. */
export interface TextRun {
  readonly status: 'succeeded'
  readonly id: string
  readonly run_id: string
  readonly exit_code: number
  readonly stdout: string
}

/** The outcome of a delivery: `status` says whether it has run, runs, or was skipped. */
export type RunResult = ExecutedRun | AcceptedRun | SkippedDelivery | TextRun

/** Which runs to list. */
export interface RunsQuery {
  /** The id of a webhook. */
  readonly id?: string
  readonly status?: RunStatus
  /** From 1 to 500 (default 50). */
  readonly limit?: number
  /** The `next` of the page before. */
  readonly before?: string
  /** Whether to include the outputs (default true); otherwise `stdout` and `stderr` are empty. */
  readonly output?: boolean
}

/** An event of the output of a run. */
export type RunEvent =
  | { readonly type: 'start' | 'end'; readonly run: RunFacts }
  | { readonly type: 'stdout' | 'stderr'; readonly text: string }

/** A run as {@link WebhooksClient.changes} returns it: without its output. */
export type RunState = Omit<Run, 'stdout' | 'stderr'>

/** A change of a run. */
export type RunChange =
  /** Read the list: too much has changed, or it is not known what has. */
  | { readonly type: 'reset'; readonly data: Readonly<Record<string, never>> }
  /** A run was accepted, has started, was started again, or has ended. */
  | { readonly type: 'run'; readonly data: RunState }
  /** A run in progress whose record is gone: it has ended, and the history does not keep it. */
  | {
      readonly type: 'run-removed'
      readonly data: { readonly run_id: string; readonly id: string }
    }

/** Runs webhooks and reads their runs. Every call may fail with a `GatehouseClientError`. */
export interface WebhooksClient {
  /** Runs a webhook. A command that fails is a `GatehouseClientError` such as `command_failed`; its `body` has the output. */
  run(id: string, data?: unknown, options?: RunOptions): Promise<RunResult>
  /** Runs a webhook and follows its output. Leaving the loop ends the request, not the run. */
  stream(id: string, data?: unknown, options?: RunOptions): AsyncGenerator<RunEvent>
  /** Follows the output of a run, from its beginning to its end. */
  follow(runId: string, options?: TokenOptions): AsyncGenerator<RunEvent>
  /** The webhooks whose runs the sender may see, with the values that each reads from a request. */
  list(options?: TokenOptions): Promise<WebhookList>
  /** The last deliveries of a webhook that the process refused which answers, newest first. */
  refusals(id: string, options?: TokenOptions): Promise<RefusalList>
  /** Signs a delivery like the sender of a webhook, and says what would be checked and run. Runs nothing. */
  test(delivery: DeliveryTest, options?: TokenOptions): Promise<TestedDelivery>
  /** Runs, newest first: of all webhooks for the administrator, of one for its token. */
  runs(query?: RunsQuery, options?: TokenOptions): Promise<RunPage>
  /**
   * Follows the changes of runs. At each `reset`, the first one at the start, read the list; the changes after it are complete. It
   * connects again by itself. Leave the loop, or abort the signal, to stop. Needs the token of the administrator, or of the webhook
   * with the `id`.
   */
  changes(
    query?: { /** The id of a webhook. */ readonly id?: string },
    options?: ChangesOptions & TokenOptions,
  ): AsyncGenerator<RunChange>
  /** One run, with its output unless `output` is false. */
  getRun(runId: string, options?: TokenOptions & Pick<RunsQuery, 'output'>): Promise<Run>
  /** Ends a run. Fails with `run_finished` if it has ended. */
  cancel(runId: string, options?: TokenOptions): Promise<CancelingRun>
  /** The kept output of a run. */
  output(
    runId: string,
    options?: TokenOptions & { readonly stream?: 'stdout' | 'stderr' | 'both' },
  ): Promise<string>
}

/**
 * A client of the webhook service.
 *
 * @example
 * const webhooks = createWebhooksClient({ url: 'https://hooks.example.com', token: 'secret' })
 * for await (const event of webhooks.stream('deploy', { branch: 'main' })) {
 *   if (event.type === 'stdout') console.log(event.text)
 * }
 */
export function createWebhooksClient(options: WebhooksClientOptions = {}): WebhooksClient {
  const requester = createRequester(options)
  const { send } = requester
  const call = createCaller<WebhookCalls>(requester)
  const authorized = ({ token = options.token, signal }: TokenOptions, more = {}): Authorized => ({
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...more },
    ...(signal === undefined ? {} : { signal }),
  })
  const deliver = (
    id: string,
    data: unknown,
    given: RunOptions,
    more: object,
  ): Promise<Response> => {
    const { waitSeconds: wait, query } = given
    const prefer =
      wait === undefined ? {} : { prefer: wait === 0 ? 'respond-async' : `wait=${wait}` }
    const { method, path } = splitPlace<keyof WebhookCalls>('POST /webhook/:id', { id })
    const rest = authorized(given, { ...prefer, ...more, ...given.headers })
    return send(path, { method, body: data, query, ...rest })
  }
  const follow = async function* (id: string, given: TokenOptions = {}): AsyncGenerator<RunEvent> {
    const { path } = splitPlace<keyof WebhookCalls>('GET /runs/:run_id/output', { run_id: id })
    const rest = authorized(given, { accept: eventStream })
    const response = await send(path, { query: { follow: 1 }, ...rest })
    if (isEventStream(response)) return yield* eventsOf(response)
    await response.body?.cancel()
    yield* endedRun(id, given)
  }
  // A run that has ended is not streamed any more.
  const endedRun = async function* (id: string, given: TokenOptions): AsyncGenerator<RunEvent> {
    const run = await call('GET /runs/:run_id', { path: { run_id: id } }, authorized(given))
    const { reason, ...facts } = run
    if (run.stdout !== '') yield { type: 'stdout', text: run.stdout }
    if (run.stderr !== '') yield { type: 'stderr', text: run.stderr }
    yield { type: 'end', run: reason === null ? facts : { ...facts, reason } }
  }
  return {
    async run(id, data, given = {}) {
      const response = await deliver(id, data, given, {})
      const body = await bodyOf(response, given.signal)
      return typeof body === 'string' ? textRun(id, body, response) : (body as RunResult)
    },
    async *stream(id, data, given = {}) {
      const asked = { accept: `${eventStream}, application/json`, prefer: 'respond-async' }
      const response = await deliver(id, data, given, asked)
      if (isEventStream(response)) return yield* eventsOf(response)
      const body = (await bodyOf(response, given.signal)) as Partial<AcceptedRun> | string
      // A webhook that answers its sender with a text names the run in a header.
      const named = response.headers.get('x-run-id')
      const runId = (typeof body === 'string' ? undefined : body.run_id) ?? named
      if (runId !== null) yield* follow(runId, given)
    },
    follow,
    list: (given = {}) => call('GET /webhooks', {}, authorized(given)),
    refusals: (id, given = {}) =>
      call('GET /webhooks/refusals', { query: { id } }, authorized(given)),
    test: (body, given = {}) => call('POST /webhooks/test', { body }, authorized(given)),
    runs: ({ output, ...query } = {}, given = {}) =>
      call('GET /runs', { query: { ...query, ...outputOf(output) } }, authorized(given)),
    async *changes(query, given = {}) {
      const { path } = splitPlace<keyof WebhookCalls>('GET /runs/changes')
      const stream = { path, ...authorized(given), ...(query && { query }) }
      for await (const { event, data } of followChanges(requester, stream, given)) {
        yield { type: event, data: JSON.parse(data) } as RunChange
      }
    },
    getRun: (id, { output, ...given } = {}) =>
      call(
        'GET /runs/:run_id',
        { path: { run_id: id }, query: outputOf(output) },
        authorized(given),
      ),
    cancel: (id, given = {}) =>
      call('DELETE /runs/:run_id', { path: { run_id: id } }, authorized(given)),
    output: (id, { stream, ...given } = {}) =>
      call(
        'GET /runs/:run_id/output',
        { path: { run_id: id }, query: stream === undefined ? {} : { stream } },
        authorized(given),
      ),
  }
}

const outputOf = (flag: boolean | undefined): { readonly output?: '0' } =>
  flag === false ? { output: '0' } : {}

interface Authorized extends CallOptions {
  readonly headers: Readonly<Record<string, string>>
}

async function* eventsOf(response: Response): AsyncGenerator<RunEvent> {
  for await (const { event, data } of serverSentEvents(response)) {
    const value = JSON.parse(data)
    if (event === 'stdout' || event === 'stderr') yield { type: event, text: value.text }
    else if (event === 'start' || event === 'end') yield { type: event, run: value }
  }
}

function textRun(id: string, stdout: string, { headers }: Response): TextRun {
  const run_id = headers.get('x-run-id')
  if (run_id === null) {
    const message = 'the answer is not that of a webhook'
    throw new GatehouseClientError({ reason: 'UnexpectedAnswer', message, body: stdout })
  }
  return { status: 'succeeded', id, run_id, exit_code: Number(headers.get('x-exit-code')), stdout }
}
