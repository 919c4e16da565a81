import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * Docker Hub. It can set nothing but a URL, so its deliveries have a token as their password.
 *
 * @see https://docs.docker.com/docker-hub/repos/manage/webhooks/
 */
export const dockerHub: Sender = defineSender({
  name: 'docker-hub',
  settings: { mode: 'async' },
})
