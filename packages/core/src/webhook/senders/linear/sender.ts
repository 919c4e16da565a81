import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * Linear. It waits 5 seconds.
 *
 * @see https://linear.app/developers/webhooks
 */
export const linear: Sender = defineSender({
  name: 'linear',
  signatures: [
    {
      algorithm: 'hmac-sha256',
      signature: { header: 'Linear-Signature' },
      encoding: 'hex',
      signed: '{body}',
      timestamp: { field: 'data.webhookTimestamp', unit: 'ms' },
    },
  ],
  settings: { mode: 'async' },
  dedupe: 'header:Linear-Delivery',
})
