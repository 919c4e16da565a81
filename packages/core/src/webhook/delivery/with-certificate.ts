import { errorText } from '../../errors.ts'
import { checkAddress, needsSignature } from '../access/authorize-delivery.ts'
import { findWebhook } from '../access/find-webhook.ts'
import { neededCertificate } from '../access/signature.ts'
import type { WebhooksContext } from '../context.ts'
import { webhookError } from '../errors.ts'
import { logText } from '../log-text.ts'
import type { Delivery } from '../request/delivery.ts'
import { reportRejection } from './report-rejection.ts'

/**
 * Adds the certificate that the signature of a delivery needs, and that may have to be fetched. Returns the delivery itself, not a
 * promise, if it needs none: because of how its sender signs, or because it cannot be accepted anyway.
 *
 * @throws {GatehouseError} `overloaded` if the certificate cannot be had now; the sender repeats the delivery then.
 */
export function withCertificate(
  webhooks: WebhooksContext,
  delivery: Delivery,
): Delivery | Promise<Delivery> {
  const webhook = findWebhook(webhooks.config.current, delivery.id)
  if (webhook?.signature === undefined || !needsSignature(webhook, delivery)) return delivery
  if (checkAddress(webhook, delivery) !== undefined) return delivery
  const url = neededCertificate(webhook.signature, delivery, webhooks.clock.now())
  return url === undefined ? delivery : fetchCertificate(webhooks, delivery, url)
}

async function fetchCertificate(
  webhooks: WebhooksContext,
  delivery: Delivery,
  url: string,
): Promise<Delivery> {
  try {
    return { ...delivery, certificate: { url, key: await webhooks.work.sites.certificate(url) } }
  } catch (error) {
    delivery.hold.release()
    const { id, requestId: request_id, clientAddress: client_ip = null } = delivery
    const fields = { webhook: id, request_id: logText(request_id), error: errorText(error) }
    webhooks.logger.warn(fields, 'the certificate of a signature could not be fetched')
    const refusal = webhookError(
      'overloaded',
      'the certificate of the signature cannot be fetched at the moment',
      { retryAfterSeconds: 5 },
    )
    reportRejection(webhooks, refusal, { webhook_id: id, request_id, client_ip })
    throw refusal
  }
}
