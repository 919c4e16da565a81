import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * The event webhook of SendGrid.
 *
 * @see https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
 */
export const sendgrid: Sender = defineSender({
  name: 'sendgrid',
  signatures: [
    {
      algorithm: 'ecdsa-sha256',
      signature: { header: 'X-Twilio-Email-Event-Webhook-Signature' },
      encoding: 'base64',
      signed: '{timestamp}{body}',
      timestamp: { header: 'X-Twilio-Email-Event-Webhook-Timestamp', unit: 's' },
    },
  ],
  settings: { mode: 'async' },
})
