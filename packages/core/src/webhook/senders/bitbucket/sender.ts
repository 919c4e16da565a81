import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * Bitbucket Cloud and Data Center; the latter tests a connection by a ping.
 *
 * @see https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/
 * @see https://confluence.atlassian.com/bitbucketserver/manage-webhooks-938025878.html
 */
export const bitbucket: Sender = defineSender({
  name: 'bitbucket',
  signatures: [
    {
      algorithm: 'hmac-sha256',
      signature: { header: 'X-Hub-Signature', prefix: 'sha256=' },
      encoding: 'hex',
      signed: '{body}',
    },
  ],
  settings: { mode: 'async' },
  dedupe: 'header:X-Request-UUID',
  handshake: ({ header }) =>
    header('x-event-key') === 'diagnostics:ping' ? { status: 200 } : undefined,
})
