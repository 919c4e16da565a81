import { checkAddress, knownWebhook, wrongToken } from '../access/authorize-delivery.ts'
import { Denial } from '../access/denial.ts'
import type { WebhooksContext } from '../context.ts'
import type { Delivery } from '../request/delivery.ts'
import type { Webhook } from '../webhook.ts'
import type { Exchange } from './exchange.ts'

/** A delivery that was admitted before its body was read. */
export interface AdmittedDelivery extends Pick<Delivery, 'token' | 'trust'> {
  readonly webhook: Webhook
}

/**
 * Checks what can be checked before the whole body is read: the webhook, the sender's address and the token. A signature covers
 * the body, so a sender that may sign instead is admitted for now.
 */
export function admitEarly(
  { config: { current: config } }: WebhooksContext,
  { clientAddress }: Exchange,
  { id, token }: Pick<Delivery, 'id' | 'token'>,
): AdmittedDelivery | Denial {
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
