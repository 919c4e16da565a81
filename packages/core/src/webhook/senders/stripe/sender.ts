import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * Stripe. It sends events again under the same id.
 *
 * @see https://docs.stripe.com/webhooks#verify-manually
 */
export const stripe: Sender = defineSender({
  name: 'stripe',
  signatures: [
    {
      algorithm: 'hmac-sha256',
      signature: { header: 'Stripe-Signature', prefix: 'v1=' },
      encoding: 'hex',
      signed: '{timestamp}.{body}',
      timestamp: { header: 'Stripe-Signature', prefix: 't=', unit: 's' },
    },
  ],
  settings: { mode: 'async' },
  dedupe: 'data.id',
})
