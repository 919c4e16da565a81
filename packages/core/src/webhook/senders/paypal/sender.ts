import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * PayPal. It signs only a checksum of the body: a reader of one delivery can make another body with the same one, which is accepted
 * until the time is too old, unless the id of its transmission was seen.
 *
 * @see https://developer.paypal.com/api/rest/webhooks/rest/
 */
export const paypal: Sender = defineSender({
  name: 'paypal',
  signatures: [
    {
      algorithm: 'rsa-sha256',
      signature: { header: 'PAYPAL-TRANSMISSION-SIG' },
      encoding: 'base64',
      signed: '{id}|{timestamp}|{audience}|{crc32}',
      id: { header: 'PAYPAL-TRANSMISSION-ID' },
      timestamp: { header: 'PAYPAL-TRANSMISSION-TIME', unit: 'iso' },
      when: [{ header: 'PAYPAL-AUTH-ALGO', is: 'SHA256withRSA' }],
      certificate: {
        url: { header: 'PAYPAL-CERT-URL' },
        allowed:
          /^https:\/\/api(?:\.sandbox)?\.paypal\.com\/v1\/notifications\/certs\/[\w-]{1,128}$/,
      },
    },
  ],
  settings: { mode: 'async' },
  // Other ids are in the body.
  dedupe: 'header:PAYPAL-TRANSMISSION-ID',
})
