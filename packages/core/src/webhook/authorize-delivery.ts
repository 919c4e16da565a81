import type { Instant } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { isInRanges } from './address.ts'
import type { Delivery } from './delivery.ts'
import { webhookError } from './errors.ts'
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
export const wrongToken = (): Error => webhookError('invalid_token', 'the token is not valid')

const wrongSignature = (): Error => webhookError('invalid_signature', 'the signature is not valid')

/**
 * The webhook a delivery is for, if its sender may use it. A webhook that is not there takes as long as a wrong token.
 *
 * @throws {GatehouseError} `unknown_webhook`, `address_not_allowed`, `invalid_token`, `invalid_signature`.
 */
export function authorizeDelivery(delivery: Delivery, authority: Authority): Webhook {
  const webhook = knownWebhook(authority.config, delivery)
  if (delivery.trust === 'program') return webhook
  checkAddress(webhook, delivery)
  checkProofs(webhook, delivery, authority)
  return webhook
}

/**
 * The webhook that is asked for.
 *
 * @throws {GatehouseError} `unknown_webhook`, or where ids are hidden `invalid_token`.
 */
export function knownWebhook(
  config: WebhooksConfig,
  { id, token, trust }: Pick<Delivery, 'id' | 'token' | 'trust'>,
): Webhook {
  const webhook = findWebhook(config, id)
  if (webhook !== undefined) return webhook
  if (trust !== 'program') dummyTokenCheck.accepts(token ?? '')
  if (config.hide_ids && trust !== 'program') throw wrongToken()
  throw webhookError('unknown_webhook', 'there is no such webhook')
}

/** @throws {GatehouseError} `address_not_allowed`. */
export function checkAddress(
  { allow_ips }: Webhook,
  { clientAddress }: Pick<Delivery, 'clientAddress'>,
): void {
  if (allow_ips === undefined) return
  if (clientAddress === undefined || !isInRanges(clientAddress, allow_ips)) {
    throw webhookError('address_not_allowed', 'this address may not use the webhook')
  }
}

function checkProofs(webhook: Webhook, delivery: Delivery, authority: Authority): void {
  const { auth } = webhook
  const hasToken = auth !== 'signature' && acceptsToken(webhook, delivery)
  if (auth === 'token' || auth === 'both') {
    if (!hasToken) throw wrongToken()
    if (auth === 'token') return
  }
  if (auth === 'either' && hasToken) return
  if (acceptsSignature(webhook, delivery, authority)) return
  // Whoever may do either is told of what it tried.
  throw auth === 'either' && delivery.token !== undefined ? wrongToken() : wrongSignature()
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
