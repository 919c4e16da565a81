import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * Discord: interactions and events, each with a ping of its own.
 *
 * @see https://docs.discord.com/developers/interactions/overview#setting-up-an-endpoint
 * @see https://docs.discord.com/developers/events/webhook-events#preparing-for-events
 */
export const discord: Sender = defineSender({
  name: 'discord',
  signatures: [
    {
      algorithm: 'ed25519',
      signature: { header: 'X-Signature-Ed25519' },
      encoding: 'hex',
      signed: '{timestamp}{body}',
      timestamp: { header: 'X-Signature-Timestamp', unit: 's' },
    },
  ],
  dedupe: 'data.id',
  handshake({ value }) {
    const type = value('data.type')
    if (type === '0') return { status: 204 }
    // An event has type 1 as well.
    return type === '1' && value('data.event') === undefined
      ? { status: 200, json: { type: 1 } }
      : undefined
  },
})
