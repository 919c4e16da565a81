import { foreignOrigin } from '../../http/cross-origin.ts'
import { isInRanges } from '../../http/ip-address.ts'
import type { Logger } from '../../logger.ts'
import type { Instant } from '../../time/clock.ts'
import { logText } from '../log-text.ts'
import type { Delivery } from '../request/delivery.ts'
import type { LoadedWebhooksConfig, Webhook } from '../webhook.ts'
import { Denial } from './denial.ts'
import { findWebhook } from './find-webhook.ts'
import { verifySignature } from './signature.ts'
import { signatureHeaders } from './signature-offer.ts'
import { dummyTokenCheck } from './token.ts'

/** The configuration and ports of {@link authorizeDelivery}. */
export interface Authority {
  readonly config: LoadedWebhooksConfig
  readonly now: Instant
  readonly logger: Logger
}

/** The token is missing or wrong. */
export const wrongToken: Denial = new Denial('invalid_token', 'invalid token')

const wrongSignature = new Denial('invalid_signature', 'invalid signature')
const noSignature = new Denial('invalid_signature', 'the request has no signature')
const parsedBody = new Denial(
  'invalid_signature',
  'the signature cannot be verified: a body parser before the webhooks kept no raw bytes',
)
const wrongAddress = new Denial(
  'address_not_allowed',
  'this address is not allowed to use the webhook',
)
const foreignPage = new Denial('not_allowed', 'a page of another site must not run this webhook')
const unknownWebhook = new Denial('unknown_webhook', 'no such webhook')

/** For the log, because the sender cannot fix it. */
const parsedBodyAdvice =
  'a signature cannot be verified: a body parser kept no raw bytes; mount the webhooks before it, or keep the bytes as request.rawBody'

/** Finds the webhook of a delivery and checks its sender. An unknown webhook takes as long as a wrong token. */
export function authorizeDelivery(delivery: Delivery, authority: Authority): Webhook | Denial {
  const webhook = knownWebhook(authority.config, delivery)
  if (webhook instanceof Denial || delivery.trust === 'program') return webhook
  return checkAddress(webhook, delivery) ?? checkProofs(webhook, delivery, authority) ?? webhook
}

/** Finds the requested webhook. With hidden ids, an unknown one is denied like a wrong token. */
export function knownWebhook(
  config: LoadedWebhooksConfig,
  { id, token, trust }: Pick<Delivery, 'id' | 'token' | 'trust'>,
): Webhook | Denial {
  const webhook = findWebhook(config, id)
  if (webhook !== undefined) return webhook
  return trust === 'program' ? unknownWebhook : noWebhook(config, token)
}

/** The denial of a sender that names no webhook. It takes as long as a wrong token. */
export function noWebhook(config: LoadedWebhooksConfig, token: string | undefined): Denial {
  dummyTokenCheck.accepts(token ?? '')
  return config.hide_ids ? wrongToken : unknownWebhook
}

/** Denies an address that may not use the webhook; `undefined` if it may. */
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
  if (delivery.trust === 'authorized') return undefined
  const { auth } = webhook
  if (auth === 'none') return checkPage(webhook, delivery)
  const hasToken = auth !== 'signature' && acceptsToken(webhook, delivery)
  if (auth === 'token') return hasToken ? undefined : wrongToken
  if (auth === 'both' && !hasToken) return wrongToken
  if (auth === 'either' && hasToken) return undefined
  const denial = checkSignature(webhook, delivery, authority)
  // With `auth: either`, report the proof that the sender attempted.
  const attemptedToken = auth === 'either' && delivery.token !== undefined
  return denial !== parsedBody && denial !== undefined && attemptedToken ? wrongToken : denial
}

/** Whether only a valid signature lets a delivery in. */
export function needsSignature(webhook: Webhook, delivery: Delivery): boolean {
  if (delivery.trust === 'authorized' || delivery.trust === 'program') return false
  const { auth } = webhook
  if (auth === 'none' || auth === 'token') return false
  if (auth === 'signature') return true
  // With both, a wrong token is denied first; with either, a token is enough.
  return acceptsToken(webhook, delivery) === (auth === 'both')
}

/** A browser inside of a network, or at an allowed address, is not to run a webhook for the page of another site. */
function checkPage({ public: isPublic }: Webhook, delivery: Delivery): Denial | undefined {
  const headers = { get: (name: string) => delivery.header(name) ?? null }
  return isPublic || foreignOrigin({ headers }) === undefined ? undefined : foreignPage
}

function acceptsToken(webhook: Webhook, { token, trust }: Delivery): boolean {
  if (trust === 'token-checked') return true
  return token !== undefined && webhook.token.accepts(token)
}

/** Denies an invalid signature; `undefined` if it is valid. */
function checkSignature(
  { id, signature }: Webhook,
  delivery: Delivery,
  { now, logger }: Authority,
): Denial | undefined {
  if (signature === undefined) return wrongSignature
  // Such a request has no body, and no signature covers its query.
  const isUncovered = delivery.method === 'GET' || delivery.method === 'HEAD'
  const isToken = signature.formats.every(({ algorithm }) => algorithm === 'token')
  if (isUncovered && !isToken) return wrongSignature
  const verdict = verifySignature(signature, delivery, now)
  if (verdict.accepted) return undefined
  const { reason } = verdict
  const isMissing = reason === 'signature_missing'
  const expected = isMissing ? { expected: signatureHeaders(signature).join(', ') } : {}
  const fields = { webhook: id, request_id: logText(delivery.requestId), reason, ...expected }
  if (reason === 'body_was_parsed') {
    logger.warn(fields, parsedBodyAdvice)
    return parsedBody
  }
  logger.info(fields, 'a signature was refused')
  return isMissing ? noSignature : wrongSignature
}
