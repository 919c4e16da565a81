import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * Change notifications of Microsoft Graph, by their `clientState`. It validates a URL before it subscribes.
 *
 * @see https://learn.microsoft.com/en-us/graph/change-notifications-delivery-webhooks
 */
export const microsoftGraph: Sender = defineSender({
  name: 'microsoft-graph',
  signatures: [
    {
      algorithm: 'token',
      signature: { field: 'data.value.0.clientState' },
      encoding: 'hex',
      signed: '',
    },
  ],
  settings: { mode: 'async' },
  openHandshake({ method, query }) {
    const token = method === 'POST' ? query('validationToken') : undefined
    if (token === undefined) return undefined
    return token.length <= 2_000 ? { status: 200, text: token } : { status: 400 }
  },
})
