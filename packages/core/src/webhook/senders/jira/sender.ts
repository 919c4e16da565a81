import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * Jira Cloud, with a webhook that an administrator made.
 *
 * @see https://developer.atlassian.com/cloud/jira/platform/webhooks/#secure-admin-webhooks
 */
export const jira: Sender = defineSender({
  name: 'jira',
  signatures: [
    {
      algorithm: 'hmac-sha256',
      signature: { header: 'X-Hub-Signature', prefix: 'sha256=' },
      encoding: 'hex',
      signed: '{body}',
    },
  ],
  settings: { max_body_bytes: 25 * 2 ** 20, mode: 'async' },
  dedupe: 'header:X-Atlassian-Webhook-Identifier',
})
