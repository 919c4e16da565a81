import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * GitLab, by its secret token. It stops sending to a webhook that fails or is slow.
 *
 * @see https://docs.gitlab.com/user/project/integrations/webhooks/
 */
export const gitlab: Sender = defineSender({
  name: 'gitlab',
  signatures: [
    {
      algorithm: 'token',
      signature: { header: 'X-Gitlab-Token' },
      encoding: 'hex',
      signed: '',
    },
  ],
  settings: { mode: 'async' },
  dedupe: 'header:Idempotency-Key',
})
