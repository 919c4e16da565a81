import type { Logger } from '../../logger.ts'
import type { Instant } from '../../time/clock.ts'
import { logText } from '../log-text.ts'
import type { Delivery } from '../request/delivery.ts'
import type { LoadedWebhooksConfig, Webhook } from '../webhook.ts'
import { isInRanges } from './address.ts'
import { Denial } from './denial.ts'
import { findWebhook } from './find-webhook.ts'
import { verifySignature } from './signature.ts'
import { dummyTokenCheck } from './token.ts'

/** What {@link authorizeDelivery} decides by. */
export interface Authority {
  readonly config: LoadedWebhooksConfig
  readonly now: Instant
  readonly logger: Logger
}

/** The token is missing, or is another. */
export const wrongToken: Denial = new Denial('invalid_token', 'the token is not valid')

const wrongSignature = new Denial('invalid_signature', 'the signature is not valid')
const parsedBody = new Denial(
  'invalid_signature',
  'the signature cannot be checked: a body parser in front of the webhooks kept no raw bytes',
)
const wrongAddress = new Denial('address_not_allowed', 'this address may not use the webhook')
const unknownWebhook = new Denial('unknown_webhook', 'there is no such webhook')

/** For the log: the sender can do nothing about it. */
const parsedBodyAdvice =
  'a signature cannot be checked: a body parser kept no raw bytes; mount the webhooks before it, or keep the bytes as request.rawBody'

/** The webhook a delivery is for, if its sender may use it. A webhook that is not there takes as long as a wrong token. */
export function authorizeDelivery(delivery: Delivery, authority: Authority): Webhook | Denial {
  const webhook = knownWebhook(authority.config, delivery)
  if (webhook instanceof Denial || delivery.trust === 'program') return webhook
  return checkAddress(webhook, delivery) ?? checkProofs(webhook, delivery, authority) ?? webhook
}

/** The webhook that is asked for. Where ids are hidden, one that is not there is denied as a wrong token is. */
export function knownWebhook(
  config: LoadedWebhooksConfig,
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
  const denial = checkSignature(webhook, delivery, authority)
  // With `auth: either`, report the proof that the sender attempted.
  const attemptedToken = auth === 'either' && delivery.token !== undefined
  return denial === wrongSignature && attemptedToken ? wrongToken : denial
}

function acceptsToken(webhook: Webhook, { token, trust }: Delivery): boolean {
  if (trust === 'token-checked') return true
  return token !== undefined && webhook.token.accepts(token)
}

/** Why a signature is refused; nothing if it is right. */
function checkSignature(
  { id, signature }: Webhook,
  delivery: Delivery,
  { now, logger }: Authority,
): Denial | undefined {
  if (signature === undefined) return wrongSignature
  const verdict = verifySignature(signature, delivery, now)
  if (verdict.accepted) return undefined
  const { reason } = verdict
  const fields = { webhook: id, request_id: logText(delivery.requestId), reason }
  if (reason === 'body_was_parsed') {
    logger.warn(fields, parsedBodyAdvice)
    return parsedBody
  }
  logger.info(fields, 'a signature was refused')
  return wrongSignature
}
