import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'
import { isSameText } from '../same-text.ts'

/**
 * Meta: Messenger, WhatsApp, Instagram and the other products with Graph API webhooks.
 *
 * @see https://developers.facebook.com/docs/graph-api/webhooks/getting-started
 */
export const meta: Sender = defineSender({
  name: 'meta',
  signatures: [
    {
      algorithm: 'hmac-sha256',
      signature: { header: 'X-Hub-Signature-256', prefix: 'sha256=' },
      encoding: 'hex',
      signed: '{body}',
    },
  ],
  settings: { mode: 'async' },
  openHandshake({ method, query, verifyToken }) {
    if (method !== 'GET' || query('hub.mode') !== 'subscribe') return undefined
    const challenge = query('hub.challenge') ?? ''
    const isKnown =
      verifyToken !== undefined && isSameText(query('hub.verify_token') ?? '', verifyToken)
    return isKnown && /^[\w-]{1,256}$/.test(challenge)
      ? { status: 200, text: challenge }
      : { status: 403 }
  },
})
