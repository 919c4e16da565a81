import type { Answer } from '../../http/answer.ts'
import { wrongToken } from '../access/authorize-delivery.ts'
import { denialError } from '../access/denial.ts'
import { findWebhook } from '../access/find-webhook.ts'
import type { WebhooksContext } from '../context.ts'
import { bodyFormat, decodeJsonBody } from '../delivery/data-body.ts'
import { listRefusals } from '../delivery/list-refusals.ts'
import { requestToken } from '../delivery/request-headers.ts'
import { explainForSender } from '../explain-delivery.ts'
import { decodeTrial } from './decode-request.ts'
import { decodeRefusalsQuery } from './decode-runs-query.ts'
import { checks, type Endpoints } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { jsonAnswer } from './json-answer.ts'
import { readHeldBody } from './read-held-body.ts'
import { admittedQuery } from './run-routes.ts'
import { hasSubject, subjectMay } from './subject-access.ts'

async function getRefusals(webhooks: WebhooksContext, exchange: Exchange): Promise<Answer> {
  const query = await admittedQuery(webhooks, exchange, decodeRefusalsQuery)
  const refusals = listRefusals(webhooks, query).map(({ at, ...refusal }) => {
    return { at: new Date(at).toISOString(), ...refusal }
  })
  return jsonAnswer(200, { refusals })
}

/** `POST /webhooks/test`: for the same senders that may run the webhook without its signature. Runs nothing. */
async function postTest(webhooks: WebhooksContext, exchange: Exchange): Promise<Answer> {
  const { request, about } = exchange
  const token = requestToken(request.headers)
  if (token === undefined && !hasSubject(webhooks, exchange)) throw denialError(wrongToken)
  const { limits } = webhooks.config.current
  bodyFormat(request.headers, ['json'])
  const { bytes, hold } = await readHeldBody(request, {
    maxBytes: limits.max_body_bytes,
    budget: webhooks.bodies,
  })
  try {
    const trial = decodeTrial(decodeJsonBody(bytes, limits.json_depth))
    const webhook = findWebhook(webhooks.config.current, trial.id)
    const isRunByToken = webhook?.auth === 'token' || webhook?.auth === 'either'
    const hasToken = isRunByToken && webhook.token.accepts(token ?? '')
    if (!hasToken && !(await subjectMay(webhooks, exchange, 'webhooks:run', trial.id))) {
      throw denialError(wrongToken)
    }
    if (webhook !== undefined) about.webhook = webhook.id
    return jsonAnswer(200, await explainForSender(webhooks, trial))
  } finally {
    hold.release()
  }
}

/** What people need to connect a sender: the deliveries that were refused, and a test. */
export const trialEndpoints = (
  webhooks: WebhooksContext,
): Endpoints<'listRefusals' | 'testWebhook'> => ({
  listRefusals: checks('webhooks:read', (exchange) => getRefusals(webhooks, exchange)),
  testWebhook: checks('webhooks:run', (exchange) => postTest(webhooks, exchange)),
})
