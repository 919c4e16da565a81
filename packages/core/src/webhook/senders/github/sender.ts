import { plainForm } from '../../body/form.ts'
import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * GitHub. Its first delivery is a `ping`.
 *
 * @see https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 */
export const github: Sender = defineSender({
  name: 'github',
  signatures: [
    {
      algorithm: 'hmac-sha256',
      signature: { header: 'X-Hub-Signature-256', prefix: 'sha256=' },
      encoding: 'hex',
      signed: '{body}',
    },
  ],
  settings: {
    accept: ['json', 'form'],
    form: { ...plainForm, data: 'payload' },
    max_body_bytes: 25 * 2 ** 20,
    mode: 'async',
  },
  dedupe: 'header:X-GitHub-Delivery',
  handshake: ({ header }) =>
    header('x-github-event') === 'ping' ? { status: 200, json: { message: 'pong' } } : undefined,
})
