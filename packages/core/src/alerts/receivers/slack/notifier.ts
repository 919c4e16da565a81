import type { OutgoingRequest } from '../../../http-client/send-request.ts'
import { detailsWithout, secretsOfUrl } from '../../../http-client/without-secrets.ts'
import type { Notification } from '../../notification/notification.ts'
import { apiUrl } from '../attempt/api-url.ts'
import { jsonPost } from '../attempt/attempt.ts'
import { jsonBody } from '../attempt/json-body.ts'
import { requestAnswer } from '../attempt/request-answer.ts'
import { secretOf } from '../attempt/secret-of.ts'
import { withinAttempt } from '../attempt/within-attempt.ts'
import type { ReceiverKind } from '../kind.ts'
import type { NotifierPorts } from '../notifier.ts'
import { isMessageGone, judgeSlackAnswer } from './answer.ts'
import { type SlackIntegration, slackConfig } from './config.ts'
import { type SlackPlace, slackMessage } from './message.ts'
import type { AlertmanagerSlackConfig } from './written.ts'

/** Posts to a Slack channel, with a webhook or as an app. @see Slack API, `chat.postMessage`, `chat.update` */
export const slack: ReceiverKind<SlackIntegration, AlertmanagerSlackConfig> = {
  ...slackConfig,
  create: (integration, ports) => ({
    name: 'slack',
    async notify(notification, signal) {
      const { http_config: http, update_message: keeps } = integration
      const access = await accessOf(integration, ports)
      const detailsOf = detailsWithout([...secretsOfUrl(access.url), access.token])
      const limits = { clock: ports.clock, signal, timeoutMs: integration.timeout }
      return withinAttempt(limits, async (limited) => {
        const options = { http, signal: limited, detailsOf }
        const send = (target: Target): ReturnType<typeof requestAnswer> => {
          const message = slackMessage(integration, notification, target)
          return requestAnswer(ports, requestTo(target, access, message), options)
        }

        let target = targetOf(integration, notification, access)
        let sent = await send(target)
        if (target.ts !== undefined && 'answer' in sent && isMessageGone(sent.answer)) {
          target = newMessage(integration, notification, access)
          sent = await send(target)
        }
        if ('failure' in sent) return sent.failure
        return judgeSlackAnswer(sent.answer, { channel: target.channel, keeps, detailsOf })
      })
    },
  }),
}

/** The URL and token for Slack. */
interface Access {
  readonly url: string
  /** The token of an app; empty for a webhook. */
  readonly token: string
}

async function accessOf(integration: SlackIntegration, ports: NotifierPorts): Promise<Access> {
  const { app_token, app_token_file, app_url, api_url, api_url_file } = integration
  if (app_token === undefined && app_token_file === '') {
    return { url: await secretOf(ports, api_url, api_url_file), token: '' }
  }
  return { url: apiUrl(app_url), token: await secretOf(ports, app_token, app_token_file) }
}

interface Target extends SlackPlace {
  readonly url: string
}

const postMethod = /\/chat\.postMessage(?=$|\?)/

/** The message of this incident; a new one for the first notification, and if there is none that can be updated. */
function targetOf(
  integration: SlackIntegration,
  notification: Notification,
  access: Access,
): Target {
  const { reason, kept } = notification
  const { threadTs: ts, channelId: channel } = kept
  const isChanged = integration.update_message && reason !== 'first notification'
  if (!isChanged || ts === undefined || channel === undefined || !postMethod.test(access.url)) {
    return newMessage(integration, notification, access)
  }
  return { url: access.url.replace(postMethod, '/chat.update'), channel, ts }
}

const newMessage = (
  { channel }: SlackIntegration,
  notification: Notification,
  { url }: Access,
): Target => ({ url, channel: notification.text(channel) })

function requestTo({ url }: Target, { token }: Access, message: object): OutgoingRequest {
  const { headers, ...request } = jsonPost(url, jsonBody(message))
  const authorization = token === '' ? {} : { authorization: `Bearer ${token}` }
  return { ...request, headers: { ...headers, ...authorization } }
}
