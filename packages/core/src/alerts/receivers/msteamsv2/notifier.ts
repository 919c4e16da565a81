import type { Notification } from '../../notification/notification.ts'
import { postToIncomingWebhook } from '../attempt/post-to-incoming-webhook.ts'
import type { ReceiverKind } from '../kind.ts'
import { type Msteamsv2Integration, msteamsv2Config } from './config.ts'
import type { AlertmanagerMsteamsV2Config } from './written.ts'

const colors = { firing: 'Attention', resolved: 'Good' }

/** Posts a card to Microsoft Teams with a workflow. @see Adaptive Cards 1.2 */
export const msteamsv2: ReceiverKind<Msteamsv2Integration, AlertmanagerMsteamsV2Config> = {
  ...msteamsv2Config,
  create: (integration, ports) => ({
    name: 'msteamsv2',
    async notify(notification, signal) {
      const body = message(integration, notification)
      return postToIncomingWebhook(ports, integration, { body, signal })
    },
  }),
}

function message({ title, text }: Msteamsv2Integration, notification: Notification): object {
  const heading = {
    type: 'TextBlock',
    text: notification.text(title),
    weight: 'Bolder',
    size: 'Medium',
    wrap: true,
    style: 'heading',
    color: colors[notification.status],
  }
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.2',
    body: [heading, { type: 'TextBlock', text: notification.text(text), wrap: true }],
    msteams: { width: 'full' },
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] }
}
