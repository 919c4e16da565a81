import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * Twilio. It signs the URL and the parameters of a form, or the digest of another body.
 *
 * @see https://www.twilio.com/docs/usage/security#validating-requests
 */
export const twilio: Sender = defineSender({
  name: 'twilio',
  signatures: [
    // Of JSON it signs the URL, which has a digest of the body then.
    {
      algorithm: 'hmac-sha1',
      signature: { header: 'X-Twilio-Signature' },
      encoding: 'base64',
      signed: '{url&}bodySHA256={sha256}',
      when: [{ query: 'bodySHA256' }],
    },
    {
      algorithm: 'hmac-sha1',
      signature: { header: 'X-Twilio-Signature' },
      encoding: 'base64',
      signed: '{url}{parameters}',
    },
  ],
  // It reads the answer as instructions.
  settings: { accept: ['form', 'json'], mode: 'async', response: 'empty' },
  dedupe: 'header:I-Twilio-Idempotency-Token',
})
