import type { Action } from '../../authorization/action.ts'
import type { Answer } from '../../http/answer.ts'
import { wrongToken } from '../access/authorize-delivery.ts'
import { denialError } from '../access/denial.ts'
import { dummyTokenCheck } from '../access/token.ts'
import type { WebhooksContext } from '../context.ts'
import { requestToken } from '../delivery/request-headers.ts'
import { describeWebhook } from '../list-webhooks.ts'
import type { Webhook } from '../webhook.ts'
import type { Exchange } from './exchange.ts'
import { jsonAnswer } from './json-answer.ts'
import { checks, type Endpoints } from './resource.ts'
import { hasSubject, subjectMay } from './subject-access.ts'

const actions = ['webhooks:read', 'webhooks:run', 'webhooks:cancel'] as const satisfies Action[]

type WebhookAction = (typeof actions)[number]

/** The actions that a token of a webhook allows. */
const byToken = ({ auth }: Webhook): readonly WebhookAction[] =>
  auth === 'token' || auth === 'either' ? actions : ['webhooks:read', 'webhooks:cancel']

/** `GET /webhooks`: the webhooks whose runs the sender may see, and what else it may do with each. */
async function getWebhooks(webhooks: WebhooksContext, exchange: Exchange): Promise<Answer> {
  const token = requestToken(exchange.request.headers)
  const isKnown = hasSubject(webhooks, exchange)
  if (token === undefined && !isKnown) throw denialError(wrongToken)
  const { admin, webhooks: all } = webhooks.config.current
  const isAdmin = (admin?.token ?? dummyTokenCheck).accepts(token ?? '')
  const readsAll = isAdmin || (await subjectMay(webhooks, exchange, 'webhooks:read'))
  const listed: object[] = []
  for (const webhook of all.filter(({ enabled }) => enabled)) {
    const allowed = new Set<WebhookAction>(isAdmin ? ['webhooks:read', 'webhooks:cancel'] : [])
    if (webhook.token.accepts(token ?? '')) for (const one of byToken(webhook)) allowed.add(one)
    for (const one of isKnown ? actions : []) {
      if (await subjectMay(webhooks, exchange, one, webhook.id)) allowed.add(one)
    }
    if (!allowed.has('webhooks:read')) continue
    listed.push({ ...describeWebhook(webhook), actions: actions.filter((one) => allowed.has(one)) })
  }
  if (!readsAll && listed.length === 0) throw denialError(wrongToken)
  return jsonAnswer(200, { webhooks: listed, reads_all: readsAll })
}

/** The list of webhooks. */
export const webhookListEndpoints = (webhooks: WebhooksContext): Endpoints<'listWebhooks'> => ({
  listWebhooks: checks('webhooks:read', (exchange) => getWebhooks(webhooks, exchange)),
})
