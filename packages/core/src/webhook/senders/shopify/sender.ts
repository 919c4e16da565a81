import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * Shopify. It waits 5 seconds.
 *
 * @see https://shopify.dev/docs/apps/build/webhooks/subscribe/https
 */
export const shopify: Sender = defineSender({
  name: 'shopify',
  signatures: [
    {
      algorithm: 'hmac-sha256',
      signature: { header: 'X-Shopify-Hmac-Sha256' },
      encoding: 'base64',
      signed: '{body}',
    },
  ],
  settings: { mode: 'async' },
  dedupe: 'header:X-Shopify-Webhook-Id',
})
