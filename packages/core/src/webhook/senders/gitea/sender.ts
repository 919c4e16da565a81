import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * Gitea, Forgejo and Gogs.
 *
 * @see https://docs.gitea.com/usage/repository/webhooks
 * @see https://forgejo.org/docs/latest/user/webhooks/
 */
export const gitea: Sender = defineSender({
  name: 'gitea',
  signatures: [
    {
      algorithm: 'hmac-sha256',
      signature: { header: 'X-Gitea-Signature' },
      encoding: 'hex',
      signed: '{body}',
    },
    {
      algorithm: 'hmac-sha256',
      signature: { header: 'X-Forgejo-Signature' },
      encoding: 'hex',
      signed: '{body}',
    },
    {
      algorithm: 'hmac-sha256',
      signature: { header: 'X-Gogs-Signature' },
      encoding: 'hex',
      signed: '{body}',
    },
  ],
  settings: { accept: ['json', 'form'], mode: 'async' },
  dedupe: 'header:X-Gitea-Delivery',
})
