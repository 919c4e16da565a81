import type { Notification } from '../../notification/notification.ts'
import { postToIncomingWebhook } from '../attempt/post-to-incoming-webhook.ts'
import type { ReceiverKind } from '../kind.ts'
import { type MsteamsIntegration, msteamsConfig } from './config.ts'
import type { AlertmanagerMsteamsConfig } from './written.ts'

/** Red and green. */
const colors = { firing: '8C1A1A', resolved: '2DC72D' }

/** Posts a card to a Microsoft Teams channel. @see Microsoft, "Legacy actionable message card reference" */
export const msteams: ReceiverKind<MsteamsIntegration, AlertmanagerMsteamsConfig> = {
  ...msteamsConfig,
  create: (integration, ports) => ({
    name: 'msteams',
    async notify(notification, signal) {
      const body = message(integration, notification)
      return postToIncomingWebhook(ports, integration, { body, signal })
    },
  }),
}

function message({ title, summary, text }: MsteamsIntegration, notification: Notification): object {
  return {
    '@context': 'http://schema.org/extensions',
    type: 'MessageCard',
    title: notification.text(title),
    summary: notification.text(summary),
    text: notification.text(text),
    themeColor: colors[notification.status],
  }
}
