import type { Answer } from '../../http/answer.ts'
import { Denial } from '../access/denial.ts'
import { findWebhook, mayLackToken, targetAt, targetOfId } from '../access/find-webhook.ts'
import type { WebhooksContext } from '../context.ts'
import { bodyFormat, decodeJsonBody, noFiles } from '../delivery/data-body.ts'
import { webhookError } from '../errors.ts'
import { admitEarly } from './admit-early.ts'
import { type Callers, createCallers } from './callers.ts'
import { answerData, checkOpen, deliver, refused } from './data-delivery.ts'
import { decodeDelivery, leadingProof } from './decode-request.ts'
import { checks, type Endpoints } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { checkDeclaredLength, readHeldBody } from './read-held-body.ts'
import type { FramedRow } from './request-frame.ts'
import { hasSubject, subjectMay } from './subject-access.ts'

/** Refuses a sender by the beginning of a body, if it contains the webhook and a token that is wrong. */
function refuseByStart(
  webhooks: WebhooksContext,
  exchange: Exchange,
  start: Uint8Array,
): Denial | undefined {
  const proof = leadingProof(start)
  if (proof === undefined) return undefined
  const known = findWebhook(webhooks.config.current, proof.id)
  if (known !== undefined) exchange.about.webhook = known.id
  const admitted = admitEarly(webhooks, exchange, proof)
  return admitted instanceof Denial ? refused(webhooks, exchange, proof.id, admitted) : undefined
}

/** `POST /webhook`: the body names the webhook and contains the token. */
async function postWebhook(
  webhooks: WebhooksContext,
  callers: Callers,
  exchange: Exchange,
): Promise<Answer | Denial> {
  checkOpen(webhooks)
  const { request } = exchange
  const { limits } = webhooks.config.current
  const isKnown = hasSubject(webhooks, exchange)
  checkDeclaredLength(request, limits.max_body_bytes)
  bodyFormat(request.headers, ['json'])
  const held = await readHeldBody(request, {
    maxBytes: limits.max_body_bytes,
    budget: webhooks.bodies,
    // A subject needs no token.
    refuse: (start) => (isKnown ? undefined : refuseByStart(webhooks, exchange, start)),
  })
  if (held instanceof Denial) return held
  return await deliver(webhooks, callers, exchange, held, (bytes) => {
    const body = decodeJsonBody(bytes, limits.json_depth)
    const { current: config } = webhooks.config
    const { id, token } = decodeDelivery(body, (id) => isKnown || mayLackToken(config, id))
    const search = exchange.info.query
    const trust = 'unchecked' as const
    const parts = { id, token, body, files: noFiles, search, place: undefined, trust }
    if (!isKnown || findWebhook(config, id) === undefined) return parts
    return subjectMay(webhooks, exchange, 'webhooks:run', id).then((may) =>
      may ? { ...parts, trust: 'authorized' as const } : parts,
    )
  })
}

/** The ways to start a run: by a body that names the webhook, by an id in the path, and by a path of its own. */
export function deliveryEndpoints(webhooks: WebhooksContext): {
  readonly endpoints: Endpoints<'runWebhook' | 'deliverWebhook'>
  readonly ownPaths: FramedRow
} {
  const callers = createCallers(webhooks.clock)
  const { config } = webhooks
  const byId = checks('webhooks:run', (exchange) => {
    const { id = '' } = exchange.info.params
    return answerData(webhooks, callers, exchange, targetOfId(config.current, id))
  })
  const byBody = checks('webhooks:run', (exchange) => postWebhook(webhooks, callers, exchange))
  return {
    endpoints: {
      // The token stands in the body, not in a header.
      runWebhook: { ...byBody, asksForToken: false },
      deliverWebhook: { ...byId, takesAnyMethod: true },
    },
    ownPaths: {
      action: 'webhooks:run',
      checksCaller: true,
      method: '*',
      path: `${config.current.base_path}/*`,
      serves: (path) => targetAt(config.current, path) !== undefined,
      asksForToken: true,
      answer: async (exchange) => {
        const target = targetAt(config.current, exchange.info.path)
        // A reload may have removed it since.
        if (target === undefined) throw webhookError('not_found', 'not found')
        return answerData(webhooks, callers, exchange, target)
      },
    },
  }
}
