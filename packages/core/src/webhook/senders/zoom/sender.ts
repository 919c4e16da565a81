import { hmacSha256 } from '../../../crypto/crypto.ts'
import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * Zoom. It validates the URL again every few days.
 *
 * @see https://developers.zoom.us/docs/api/webhooks/
 */
export const zoom: Sender = defineSender({
  name: 'zoom',
  signatures: [
    {
      algorithm: 'hmac-sha256',
      signature: { header: 'x-zm-signature', prefix: 'v0=' },
      encoding: 'hex',
      signed: 'v0:{timestamp}:{body}',
      timestamp: { header: 'x-zm-request-timestamp', unit: 's' },
    },
  ],
  // It waits 3 seconds.
  settings: { mode: 'async' },
  handshake({ value, secrets: [secret] }) {
    const plainToken = value('data.payload.plainToken')
    const isAsked = value('data.event') === 'endpoint.url_validation'
    if (!isAsked || plainToken === undefined || secret === undefined) return undefined
    const encryptedToken = hmacSha256(secret, plainToken).toString('hex')
    return { status: 200, json: { plainToken, encryptedToken } }
  },
})
