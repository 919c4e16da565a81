import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * Mailgun. Its signature is in the body, and proves only that Mailgun made it: a reader of one delivery can put it on other data
 * until it is too old, or until the token was seen.
 *
 * @see https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks
 */
export const mailgun: Sender = defineSender({
  name: 'mailgun',
  signatures: [
    {
      algorithm: 'hmac-sha256',
      signature: { field: 'data.signature.signature' },
      encoding: 'hex',
      // The event itself is not covered.
      signed: '{timestamp}{data.signature.token}',
      timestamp: { field: 'data.signature.timestamp', unit: 's' },
    },
  ],
  settings: { mode: 'async' },
  dedupe: 'data.signature.token',
})
