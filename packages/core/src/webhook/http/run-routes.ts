import type { Answer } from '../../http/answer.ts'
import { wrongToken } from '../access/authorize-delivery.ts'
import { denialError } from '../access/denial.ts'
import { findWebhook } from '../access/find-webhook.ts'
import { dummyTokenCheck } from '../access/token.ts'
import { cancelRun } from '../cancel-run.ts'
import type { WebhooksContext } from '../context.ts'
import { getRun } from '../get-run.ts'
import { findRuns } from '../list-runs.ts'
import { hasEnded, type Run } from '../run.ts'
import { findRunHandle } from '../runs/find-run.ts'
import { followRecord } from '../runs/remote-run.ts'
import type { RunHandle } from '../runs/run-handle.ts'
import { decodeOutputQuery, decodeRunFilter } from './decode-runs-query.ts'
import type { Exchange } from './exchange.ts'
import { bodyAnswer, jsonAnswer } from './json-answer.ts'
import { requestToken } from './request-headers.ts'
import { checks, type Resource } from './resource.ts'
import { runFields, toGettableRun } from './run-json.ts'
import { streamAnswer } from './stream-answer.ts'

const textType = { 'content-type': 'text/plain; charset=utf-8' }

/** The token of a request. @throws {GatehouseError} `invalid_token` if it has none. */
function tokenOf({ request }: Exchange): string {
  const token = requestToken(request.headers)
  if (token === undefined) throw denialError(wrongToken)
  return token
}

/** The run of a request, for the token of its webhook or of the administrator. */
async function admittedRun(webhooks: WebhooksContext, exchange: Exchange): Promise<Run> {
  const token = tokenOf(exchange)
  const { current: config } = webhooks.config
  const isAdmin = (config.admin?.token ?? dummyTokenCheck).accepts(token)
  const run = await getRun(webhooks, exchange.info.params.run_id ?? '')
  const check = findWebhook(config, run.id)?.token ?? dummyTokenCheck
  const isOwner = check.accepts(token)
  if (!isAdmin && !isOwner) throw denialError(wrongToken)
  exchange.about.webhook = run.id
  exchange.about.run = run
  return run
}

async function getRuns(webhooks: WebhooksContext, exchange: Exchange): Promise<Answer> {
  const token = tokenOf(exchange)
  const { admin } = webhooks.config.current
  if (!(admin?.token ?? dummyTokenCheck).accepts(token)) throw denialError(wrongToken)
  const { runs, next } = await findRuns(webhooks, decodeRunFilter(exchange.info.query))
  return jsonAnswer(200, { runs: runs.map(toGettableRun), next })
}

async function getOneRun(webhooks: WebhooksContext, exchange: Exchange): Promise<Answer> {
  return jsonAnswer(200, toGettableRun(await admittedRun(webhooks, exchange)))
}

async function deleteRun(webhooks: WebhooksContext, exchange: Exchange): Promise<Answer> {
  const { run_id } = await admittedRun(webhooks, exchange)
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
  const known = findRunHandle(webhooks, run.run_id) ?? remote.get(run.run_id)
  if (known !== undefined || hasEnded(run)) return known
  const webhook = findWebhook(webhooks.config.current, run.id)
  if (webhook === undefined) return undefined
  const handle = followRecord(webhooks, run, webhook)
  remote.set(run.run_id, handle)
  void handle.ended.then(() => remote.delete(run.run_id))
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
    return bodyAnswer(200, streams.map((stream) => run[stream]).join(''), textType)
  }
  return streamAnswer(handle, { clock: webhooks.clock, streams, headers })
}

/** The records of runs: their results and outputs, and how to cancel them. */
export function runResources(webhooks: WebhooksContext): Resource[] {
  const remote: RemoteRuns = new Map()
  return [
    {
      path: '/runs',
      asksForToken: true,
      operations: { GET: checks('webhooks:read', (exchange) => getRuns(webhooks, exchange)) },
    },
    {
      path: '/runs/:run_id',
      asksForToken: true,
      operations: {
        GET: checks('webhooks:read', (exchange) => getOneRun(webhooks, exchange)),
        DELETE: checks('webhooks:cancel', (exchange) => deleteRun(webhooks, exchange)),
      },
    },
    {
      path: '/runs/:run_id/output',
      asksForToken: true,
      operations: {
        GET: checks('webhooks:read', (exchange) => getOutput(webhooks, remote, exchange)),
      },
    },
  ]
}
