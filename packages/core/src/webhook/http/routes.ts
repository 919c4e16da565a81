import { type Answer, textAnswer } from '../../http/answer.ts'
import { endpointsByPath } from '../../http/api/place.ts'
import type { Route } from '../../http/route.ts'
import type { WebhooksContext } from '../context.ts'
import { bodyFormat, decodeJsonBody } from '../delivery/data-body.ts'
import { webhookError } from '../errors.ts'
import { hashMessage } from '../hash-message.ts'
import { refusedParts } from '../webhook.ts'
import { type WebhookOperation, webhookOperations } from '../wire/operations.ts'
import { decodeHashRequest } from './decode-request.ts'
import { deliveryEndpoints } from './delivery-routes.ts'
import { type Endpoints, pathRows, requires } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { jsonAnswer } from './json-answer.ts'
import { readHeldBody } from './read-held-body.ts'
import { createRequestFrame } from './request-frame.ts'
import { runEndpoints } from './run-routes.ts'
import { trialEndpoints } from './trial-routes.ts'
import { webhookListEndpoints } from './webhook-list-routes.ts'

async function notFound(): Promise<Answer> {
  throw webhookError('not_found', 'not found')
}

/** Other tools have webhooks there. */
const otherPaths = ['/hooks/*', '/webhooks/*']

async function otherPath({ config }: WebhooksContext): Promise<Answer> {
  const path = `${config.current.base_path}/webhook/{id}`
  throw webhookError('not_found', `not found; webhooks are at ${path}`)
}

/** `POST /hash`: without a token, because it reveals nothing but a hash. */
async function postHash(webhooks: WebhooksContext, { request }: Exchange): Promise<Answer> {
  const { hash_endpoint: isServed, limits } = webhooks.config.current
  if (!isServed) return notFound()
  bodyFormat(request.headers, ['json'])
  const { bytes, hold } = await readHeldBody(request, {
    maxBytes: limits.max_body_bytes,
    budget: webhooks.bodies,
  })
  try {
    return jsonAnswer(200, hashMessage(decodeHashRequest(decodeJsonBody(bytes, limits.json_depth))))
  } finally {
    hold.release()
  }
}

async function getMetrics(webhooks: WebhooksContext, { request }: Exchange): Promise<Answer> {
  if (!webhooks.config.current.metrics) return notFound()
  const { contentType, body } = await webhooks.metrics.expose(request.headers.get('accept'))
  return textAnswer(200, body, { 'content-type': contentType })
}

async function getHealth(): Promise<Answer> {
  return jsonAnswer(200, { status: 'ok' })
}

async function getReadiness(webhooks: WebhooksContext): Promise<Answer> {
  if (webhooks.isStopping()) throw webhookError('shutting_down', 'the server is shutting down')
  const problem = await webhooks.health.check()
  if (problem !== undefined) throw webhookError('storage_unavailable', problem.message)
  // The webhooks of all other files work, so the server is ready. Anyone may ask, so no file is named.
  const { length } = refusedParts(webhooks.config.current)
  return jsonAnswer(200, { status: 'ok', ...(length > 0 && { refused_files: length }) })
}

/**
 * The routes of the webhook service, below its base path. That path, and the endpoints for hashes and metrics, are those of the
 * configuration at this moment.
 */
export function webhooksRoutes(webhooks: WebhooksContext): Route[] {
  const { base_path: basePath, hash_endpoint: hasHash, metrics } = webhooks.config.current
  const { endpoints: deliveries, ownPaths } = deliveryEndpoints(webhooks)
  const endpoints: Endpoints<WebhookOperation> = {
    ...deliveries,
    ...runEndpoints(webhooks),
    ...webhookListEndpoints(webhooks),
    ...trialEndpoints(webhooks),
    hashMessage: hasHash ? requires('public', (e) => postHash(webhooks, e)) : undefined,
    getWebhookMetrics: metrics
      ? requires('metrics:read', (e) => getMetrics(webhooks, e))
      : undefined,
    getWebhookHealth: requires('public', getHealth),
    getWebhookReadiness: requires('public', () => getReadiness(webhooks)),
  }
  const rows = endpointsByPath(webhookOperations, endpoints).flatMap((one) =>
    pathRows(basePath, one),
  )
  return [...rows, ownPaths].map(createRequestFrame(webhooks))
}

/** Answers every other path, for a server that serves only webhooks; put it last. */
export function webhooksFallbackRoutes(webhooks: WebhooksContext): Route[] {
  const row = { method: '*', action: 'public' as const }
  return [
    ...otherPaths.map((path) => ({ ...row, path, answer: () => otherPath(webhooks) })),
    { ...row, path: '/*', answer: notFound },
  ].map(createRequestFrame(webhooks))
}
