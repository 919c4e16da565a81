import type { Instant } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { isInRanges } from './address.ts'
import type { Delivery } from './delivery.ts'
import { Denial } from './denial.ts'
import { findWebhook } from './find-webhook.ts'
import { logText } from './log-text.ts'
import { verifySignature } from './signature.ts'
import { dummyTokenCheck } from './token.ts'
import type { Webhook, WebhooksConfig } from './webhook.ts'

/** What {@link authorizeDelivery} decides by. */
export interface Authority {
  readonly config: WebhooksConfig
  readonly now: Instant
  readonly logger: Logger
}

/** The token is missing, or is another. */
export const wrongToken: Denial = new Denial('invalid_token', 'the token is not valid')

const wrongSignature = new Denial('invalid_signature', 'the signature is not valid')
const wrongAddress = new Denial('address_not_allowed', 'this address may not use the webhook')
const unknownWebhook = new Denial('unknown_webhook', 'there is no such webhook')

/** The webhook a delivery is for, if its sender may use it. A webhook that is not there takes as long as a wrong token. */
export function authorizeDelivery(delivery: Delivery, authority: Authority): Webhook | Denial {
  const webhook = knownWebhook(authority.config, delivery)
  if (webhook instanceof Denial || delivery.trust === 'program') return webhook
  return checkAddress(webhook, delivery) ?? checkProofs(webhook, delivery, authority) ?? webhook
}

/** The webhook that is asked for. Where ids are hidden, one that is not there is denied as a wrong token is. */
export function knownWebhook(
  config: WebhooksConfig,
  { id, token, trust }: Pick<Delivery, 'id' | 'token' | 'trust'>,
): Webhook | Denial {
  const webhook = findWebhook(config, id)
  if (webhook !== undefined) return webhook
  if (trust !== 'program') dummyTokenCheck.accepts(token ?? '')
  return config.hide_ids && trust !== 'program' ? wrongToken : unknownWebhook
}

/** Why an address may not use a webhook; nothing if it may. */
export function checkAddress(
  { allow_ips }: Webhook,
  { clientAddress }: Pick<Delivery, 'clientAddress'>,
): Denial | undefined {
  if (allow_ips === undefined) return undefined
  const isAllowed = clientAddress !== undefined && isInRanges(clientAddress, allow_ips)
  return isAllowed ? undefined : wrongAddress
}

function checkProofs(
  webhook: Webhook,
  delivery: Delivery,
  authority: Authority,
): Denial | undefined {
  const { auth } = webhook
  const hasToken = auth !== 'signature' && acceptsToken(webhook, delivery)
  if (auth === 'token') return hasToken ? undefined : wrongToken
  if (auth === 'both' && !hasToken) return wrongToken
  if (auth === 'either' && hasToken) return undefined
  if (acceptsSignature(webhook, delivery, authority)) return undefined
  // Whoever may do either is told of what it tried.
  return auth === 'either' && delivery.token !== undefined ? wrongToken : wrongSignature
}

function acceptsToken(webhook: Webhook, { token, trust }: Delivery): boolean {
  if (trust === 'token-checked') return true
  return token !== undefined && webhook.token.accepts(token)
}

function acceptsSignature(
  { id, signature }: Webhook,
  delivery: Delivery,
  { now, logger }: Authority,
): boolean {
  if (signature === undefined) return false
  const verdict = verifySignature(signature, delivery, now)
  if (verdict.accepted) return true
  const request_id = logText(delivery.requestId)
  logger.info({ webhook: id, request_id, reason: verdict.reason }, 'a signature was refused')
  return false
}
