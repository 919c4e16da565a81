import { plainForm } from '../../body/form.ts'
import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * Slack: events, commands and interactivity.
 *
 * @see https://docs.slack.dev/authentication/verifying-requests-from-slack
 * @see https://docs.slack.dev/reference/events/url_verification
 */
export const slack: Sender = defineSender({
  name: 'slack',
  signatures: [
    {
      algorithm: 'hmac-sha256',
      signature: { header: 'X-Slack-Signature', prefix: 'v0=' },
      encoding: 'hex',
      signed: 'v0:{timestamp}:{body}',
      timestamp: { header: 'X-Slack-Request-Timestamp', unit: 's' },
    },
  ],
  // It waits 3 seconds, and shows the text that answers a command.
  settings: {
    accept: ['json', 'form'],
    // Interactivity is JSON in a field; a command has fields.
    form: { ...plainForm, data: 'payload', or_fields: true },
    mode: 'async',
    response: 'empty',
  },
  dedupe: 'data.event_id',
  handshake({ value }) {
    const challenge = value('data.challenge')
    const isAsked = value('data.type') === 'url_verification' && challenge !== undefined
    return isAsked ? { status: 200, text: challenge } : undefined
  },
})
