import { apiUrl } from '../attempt/api-url.ts'
import { attempt, jsonPost } from '../attempt/attempt.ts'
import { jsonBody, unlessEmpty } from '../attempt/json-body.ts'
import { truncateBytes } from '../attempt/truncate-bytes.ts'
import type { ReceiverKind } from '../kind.ts'
import { type WebexIntegration, webexConfig } from './config.ts'
import type { AlertmanagerWebexConfig } from './written.ts'

/** The largest message, in bytes. @see Webex API, "Create a Message" */
const maxBytes = 7_439

/** Posts to a Webex room. @see Webex API, "Create a Message" */
export const webex: ReceiverKind<WebexIntegration, AlertmanagerWebexConfig> = {
  ...webexConfig,
  create: (integration, ports) => ({
    name: 'webex',
    async notify(notification, signal) {
      const { api_url, message, room_id, http_config: http } = integration
      const body = jsonBody({
        markdown: truncateBytes(notification.text(message), maxBytes),
        roomId: unlessEmpty(notification.text(room_id)),
      })
      return attempt(ports, jsonPost(apiUrl(api_url), body), { http, signal })
    },
  }),
}
