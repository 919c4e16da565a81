import type { Notification } from '../../notification/notification.ts'
import { unlessEmpty } from '../attempt/json-body.ts'
import { postToIncomingWebhook } from '../attempt/post-to-incoming-webhook.ts'
import { truncate } from '../attempt/truncate.ts'
import type { ReceiverKind } from '../kind.ts'
import { type DiscordIntegration, discordConfig } from './config.ts'
import type { AlertmanagerDiscordConfig } from './written.ts'

/** Red and green, as 0xRRGGBB. */
const colors = { firing: 0x992d22, resolved: 0x2ecc71 }

/** Posts to a Discord channel. @see Discord API, "Execute Webhook" */
export const discord: ReceiverKind<DiscordIntegration, AlertmanagerDiscordConfig> = {
  ...discordConfig,
  create: (integration, ports) => ({
    name: 'discord',
    async notify(notification, signal) {
      const body = message(integration, notification)
      return postToIncomingWebhook(ports, integration, { body, signal })
    },
  }),
}

function message(integration: DiscordIntegration, notification: Notification): object {
  const embed = {
    title: truncate(notification.text(integration.title), 256),
    description: truncate(notification.text(integration.message), 4_096),
    color: colors[notification.status],
  }
  return {
    content: truncate(notification.text(integration.content), 2_000),
    embeds: [embed],
    username: unlessEmpty(integration.username),
    avatar_url: unlessEmpty(integration.avatar_url),
  }
}
