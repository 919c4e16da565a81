import { checkAddress, knownWebhook, wrongToken } from '../access/authorize-delivery.ts'
import { Denial } from '../access/denial.ts'
import type { WebhooksContext } from '../context.ts'
import type { Delivery } from '../request/delivery.ts'
import type { Webhook } from '../webhook.ts'
import type { Exchange } from './exchange.ts'
import { requestToken } from './request-headers.ts'

/** Who was let in before the body was read. */
export interface AdmittedDelivery extends Pick<Delivery, 'token' | 'trust'> {
  readonly webhook: Webhook
}

/**
 * Looks at what can be told of a delivery before its body is read: its webhook, its sender's address and its token.
 * A signature is over the body, so whoever may sign instead is let in so far.
 */
export function admitPathDelivery(
  { config: { current: config } }: WebhooksContext,
  { request, clientAddress }: Exchange,
  id: string,
): AdmittedDelivery | Denial {
  const token = requestToken(request.headers)
  const webhook = knownWebhook(config, { id, token, trust: 'unchecked' })
  if (webhook instanceof Denial) return webhook
  const denial = checkAddress(webhook, { clientAddress })
  if (denial !== undefined) return denial
  const { auth } = webhook
  const isAccepted = token !== undefined && webhook.token.accepts(token)
  if (isAccepted) return { webhook, token, trust: 'token-checked' }
  if (auth === 'token' || auth === 'both') return wrongToken
  return { webhook, token, trust: 'unchecked' }
}
