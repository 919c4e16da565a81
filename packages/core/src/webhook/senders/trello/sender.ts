import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * Trello. It asks for the URL by HEAD before it creates a webhook.
 *
 * @see https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/
 */
export const trello: Sender = defineSender({
  name: 'trello',
  signatures: [
    {
      algorithm: 'hmac-sha1',
      signature: { header: 'X-Trello-Webhook' },
      encoding: 'base64',
      signed: '{body}{url}',
    },
  ],
  settings: { mode: 'async' },
  dedupe: 'data.action.id',
  openHandshake: ({ method }) => (method === 'HEAD' ? { status: 200 } : undefined),
})
