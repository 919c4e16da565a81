import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * Twilio. It signs the URL and the parameters of a form.
 *
 * @see https://www.twilio.com/docs/usage/security#validating-requests
 */
export const twilio: Sender = defineSender({
  name: 'twilio',
  signatures: [
    {
      algorithm: 'hmac-sha1',
      signature: { header: 'X-Twilio-Signature' },
      encoding: 'base64',
      signed: '{url}{parameters}',
    },
  ],
  // It reads the answer as instructions.
  settings: { accept: ['form'], mode: 'async', response: 'empty' },
  dedupe: 'header:I-Twilio-Idempotency-Token',
})
