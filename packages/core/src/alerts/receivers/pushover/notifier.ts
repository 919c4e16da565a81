import { detailsWithout } from '../../../http-client/without-secrets.ts'
import type { Notification } from '../../notification/notification.ts'
import { attempt } from '../attempt/attempt.ts'
import { formText } from '../attempt/form-text.ts'
import { renderSecret } from '../attempt/render-secret.ts'
import { secretOf } from '../attempt/secret-of.ts'
import { truncate } from '../attempt/truncate.ts'
import type { ReceiverKind } from '../kind.ts'
import { type PushoverIntegration, pushoverConfig } from './config.ts'
import type { AlertmanagerPushoverConfig } from './written.ts'

const messagesUrl = 'https://api.pushover.net/1/messages.json'

/** Sends push messages to devices with Pushover. @see Pushover API, "Pushing Messages" */
export const pushover: ReceiverKind<PushoverIntegration, AlertmanagerPushoverConfig> = {
  ...pushoverConfig,
  create: (integration, ports) => ({
    name: 'pushover',
    async notify(notification, signal) {
      const { token: app, token_file, user_key, user_key_file, http_config: http } = integration
      const [token, user] = await Promise.all([
        secretOf(ports, app, token_file),
        secretOf(ports, user_key, user_key_file),
      ])
      const secrets = {
        token: renderSecret(notification, 'token', token),
        user: renderSecret(notification, 'user_key', user),
      }
      const query = formText({ ...message(integration, notification), ...secrets })
      const request = {
        method: 'POST',
        url: `${messagesUrl}?${query}`,
        headers: { 'content-type': 'text/plain' },
      } as const
      const detailsOf = detailsWithout(Object.values(secrets))
      return attempt(ports, request, { http, signal, detailsOf })
    },
  }),
}

function message(
  integration: PushoverIntegration,
  notification: Notification,
): Readonly<Record<string, string>> {
  const { html, monospace, ttl } = integration
  const rendered = html
    ? notification.html(integration.message)
    : notification.text(integration.message)
  return {
    title: truncate(notification.text(integration.title), 250),
    // Pushover refuses an empty message.
    message: truncate(rendered, 1_024).trim() || '(no details)',
    ...(html ? { html: '1' } : {}),
    ...(monospace ? { monospace: '1' } : {}),
    url: truncate(notification.text(integration.url), 512),
    url_title: notification.text(integration.url_title),
    priority: notification.text(integration.priority),
    retry: seconds(integration.retry),
    expire: seconds(integration.expire),
    device: notification.text(integration.device),
    sound: notification.text(integration.sound),
    ...(ttl >= 1_000 ? { ttl: seconds(ttl) } : {}),
  }
}

const seconds = (ms: number): string => String(Math.trunc(ms / 1_000))
