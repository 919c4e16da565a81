import type { Action } from '../../authorization/action.ts'
import { rightsLastMs } from '../../changes/change-hub.ts'
import type { Answer } from '../../http/answer.ts'
import { eventStreamType, streamedAnswer } from '../../http/event-stream.ts'
import { wrongToken } from '../access/authorize-delivery.ts'
import { denialError } from '../access/denial.ts'
import { findWebhook } from '../access/find-webhook.ts'
import { dummyTokenCheck } from '../access/token.ts'
import type { RunHandle } from '../board/run-handle.ts'
import { cancelRun } from '../cancel-run.ts'
import type { WebhooksContext } from '../context.ts'
import { requestToken } from '../delivery/request-headers.ts'
import { type GetRunOptions, getRun } from '../get-run.ts'
import { findRuns } from '../list-runs.ts'
import { hasEnded, type Run } from '../run.ts'
import { findRunHandle } from '../runs/find-run.ts'
import { readOutputs } from '../runs/read-outputs.ts'
import { followRecord } from '../runs/remote-run.ts'
import {
  decodeOutputQuery,
  decodeRunChangesQuery,
  decodeRunFilter,
  decodeRunQuery,
} from './decode-runs-query.ts'
import { checks, type Endpoints } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { bodyAnswer, jsonAnswer } from './json-answer.ts'
import { runFilter } from './run-change-source.ts'
import { runFields, toGettableRun } from './run-json.ts'
import { streamAnswer } from './stream-answer.ts'
import { hasSubject, subjectMay } from './subject-access.ts'

const textType = { 'content-type': 'text/plain; charset=utf-8' }

/** The token of a request. @throws {GatehouseError} `invalid_token` if it has neither a token nor a subject. */
function tokenOf(webhooks: WebhooksContext, exchange: Exchange): string {
  const token = requestToken(exchange.request.headers)
  if (token === undefined && !hasSubject(webhooks, exchange)) throw denialError(wrongToken)
  return token ?? ''
}

/** The run of a request, for the token of its webhook or of the administrator, and for subjects that may do this. */
async function admittedRun(
  webhooks: WebhooksContext,
  exchange: Exchange,
  action: Action = 'webhooks:read',
  options: GetRunOptions = {},
): Promise<Run> {
  const token = tokenOf(webhooks, exchange)
  const { current: config } = webhooks.config
  const isAdmin = (config.admin?.token ?? dummyTokenCheck).accepts(token)
  const run = await getRun(webhooks, exchange.info.params.run_id ?? '', options)
  const check = findWebhook(config, run.webhook_id)?.token ?? dummyTokenCheck
  const isOwner = check.accepts(token)
  exchange.about.webhook = run.webhook_id
  if (!isAdmin && !isOwner && !(await subjectMay(webhooks, exchange, action, run.webhook_id)))
    throw denialError(wrongToken)
  exchange.about.run = run
  return run
}

/** The decoded query, for the administrator, the token of its webhook, and subjects that may see the runs of it, or of all. */
export async function admittedQuery<Query extends { readonly webhook_id?: string | undefined }>(
  webhooks: WebhooksContext,
  exchange: Exchange,
  decode: (query: string) => Query,
): Promise<Query> {
  const token = tokenOf(webhooks, exchange)
  const { current: config } = webhooks.config
  const id = new URLSearchParams(exchange.info.query).get('id') ?? ''
  const isAdmin = (config.admin?.token ?? dummyTokenCheck).accepts(token)
  const isOwner = (findWebhook(config, id)?.token ?? dummyTokenCheck).accepts(token)
  const hasToken = isAdmin || isOwner
  if (!hasToken && !hasSubject(webhooks, exchange)) throw denialError(wrongToken)
  const query = decode(exchange.info.query)
  if (query.webhook_id !== undefined) exchange.about.webhook = query.webhook_id
  if (!hasToken && !(await subjectMay(webhooks, exchange, 'webhooks:read', query.webhook_id)))
    throw denialError(wrongToken)
  return query
}

async function getRuns(webhooks: WebhooksContext, exchange: Exchange): Promise<Answer> {
  const filter = await admittedQuery(webhooks, exchange, decodeRunFilter)
  const { runs, next } = await findRuns(webhooks, filter)
  return jsonAnswer(200, { runs: runs.map(toGettableRun), next })
}

/** The changes of runs as they happen. The stream ends in time: a reload may replace the token that opened it. */
async function getChanges(webhooks: WebhooksContext, exchange: Exchange): Promise<Answer> {
  const position = exchange.request.headers.get('last-event-id')
  const { webhook_id, since } = await admittedQuery(webhooks, exchange, (query) =>
    decodeRunChangesQuery(query, position),
  )
  const stream = await webhooks.changes.listen(runFilter(webhook_id), since, rightsLastMs)
  return streamedAnswer(eventStreamType, stream)
}

async function getOneRun(webhooks: WebhooksContext, exchange: Exchange): Promise<Answer> {
  const options = decodeRunQuery(exchange.info.query)
  return jsonAnswer(
    200,
    toGettableRun(await admittedRun(webhooks, exchange, 'webhooks:read', options)),
  )
}

async function deleteRun(webhooks: WebhooksContext, exchange: Exchange): Promise<Answer> {
  const { id: run_id } = await admittedRun(webhooks, exchange, 'webhooks:cancel')
  const run = await cancelRun(webhooks, run_id)
  return jsonAnswer(202, { message: 'the run is being ended', ...runFields(run) })
}

/** Runs of other processes whose output is followed. Each one polls its record once, for all followers. */
type RemoteRuns = Map<string, RunHandle>

/** A run in progress: of this process, or of another one by its record. */
function findActiveRun(
  webhooks: WebhooksContext,
  remote: RemoteRuns,
  run: Run,
): RunHandle | undefined {
  const known = findRunHandle(webhooks, run.id) ?? remote.get(run.id)
  if (known !== undefined || hasEnded(run)) return known
  const webhook = findWebhook(webhooks.config.current, run.webhook_id)
  if (webhook === undefined) return undefined
  const handle = followRecord(webhooks, run, webhook)
  remote.set(run.id, handle)
  void handle.ended.then(() => remote.delete(run.id))
  return handle
}

/** The kept output of a run, or, on request, a stream. */
async function getOutput(
  webhooks: WebhooksContext,
  remote: RemoteRuns,
  exchange: Exchange,
): Promise<Answer> {
  const run = await admittedRun(webhooks, exchange)
  const { streams, follow } = decodeOutputQuery(exchange.info.query)
  const { method, headers } = exchange.request
  const handle = follow && method === 'GET' ? findActiveRun(webhooks, remote, run) : undefined
  if (handle === undefined) {
    const outputs = await readOutputs(webhooks, run)
    return bodyAnswer(200, joined(streams.map((stream) => outputs[stream].bytes)), textType)
  }
  return streamAnswer(handle, { clock: webhooks.clock, streams, headers })
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts
  return parts.length === 1 && first !== undefined ? first : Buffer.concat(parts)
}

/** The records of runs: their results and outputs, and how to cancel them. */
export function runEndpoints(
  webhooks: WebhooksContext,
): Endpoints<'listRuns' | 'getRunChanges' | 'getRun' | 'cancelRun' | 'getOutput'> {
  const remote: RemoteRuns = new Map()
  return {
    listRuns: checks('webhooks:read', (exchange) => getRuns(webhooks, exchange)),
    getRunChanges: checks('webhooks:read', (exchange) => getChanges(webhooks, exchange)),
    getRun: checks('webhooks:read', (exchange) => getOneRun(webhooks, exchange)),
    cancelRun: checks('webhooks:cancel', (exchange) => deleteRun(webhooks, exchange)),
    getOutput: checks('webhooks:read', (exchange) => getOutput(webhooks, remote, exchange)),
  }
}
