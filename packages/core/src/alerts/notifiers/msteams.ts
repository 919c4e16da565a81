import type { MsteamsIntegration } from '../config/integrations/msteams.ts'
import type { NotifierFactory } from '../notifier.ts'
import { attempt, jsonPost } from './attempt.ts'
import { jsonBody } from './json-body.ts'
import { secretOf } from './secret-of.ts'
import { detailsWithout, secretsOfUrl } from './without-secrets.ts'

/** Red and green. */
const colors = { firing: '8C1A1A', resolved: '2DC72D' }

/** Posts a card to a channel of Microsoft Teams. @see Microsoft, "Legacy actionable message card reference" */
export const msteamsNotifier: NotifierFactory<MsteamsIntegration> = {
  type: 'msteams',
  create: (integration, ports) => ({
    name: 'msteams',
    async notify(notification, signal) {
      const body = jsonBody({
        '@context': 'http://schema.org/extensions',
        type: 'MessageCard',
        title: notification.text(integration.title),
        summary: notification.text(integration.summary),
        text: notification.text(integration.text),
        themeColor: colors[notification.status],
      })
      const { webhook_url, webhook_url_file, http_config: http } = integration
      const url = await secretOf(ports, webhook_url, webhook_url_file)
      const detailsOf = detailsWithout(secretsOfUrl(url))
      return attempt(ports, jsonPost(url, body), { http, signal, detailsOf })
    },
  }),
}
