import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * Standard Webhooks, under its own names and those of Svix.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 * @see https://docs.svix.com/receiving/verifying-payloads/how-manual
 */
export const standard: Sender = defineSender({
  name: 'standard',
  signatures: [
    {
      algorithm: 'hmac-sha256',
      signature: { header: 'webhook-signature', prefix: 'v1,' },
      encoding: 'base64',
      signed: '{id}.{timestamp}.{body}',
      id: { header: 'webhook-id' },
      timestamp: { header: 'webhook-timestamp', unit: 's' },
      key: 'base64',
    },
    {
      algorithm: 'hmac-sha256',
      signature: { header: 'svix-signature', prefix: 'v1,' },
      encoding: 'base64',
      signed: '{id}.{timestamp}.{body}',
      id: { header: 'svix-id' },
      timestamp: { header: 'svix-timestamp', unit: 's' },
      key: 'base64',
    },
  ],
  dedupe: 'standard_id',
})
