import type { OutgoingAnswer } from '../../../http-client/send-request.ts'
import { detailsWithout } from '../../../http-client/without-secrets.ts'
import type { Notification } from '../../notification/notification.ts'
import { answerMembers } from '../attempt/answer-members.ts'
import { apiUrl } from '../attempt/api-url.ts'
import { attempt, jsonPost } from '../attempt/attempt.ts'
import { jsonBody, unlessEmpty } from '../attempt/json-body.ts'
import { refusal } from '../attempt/request-answer.ts'
import { secretOf } from '../attempt/secret-of.ts'
import { truncate } from '../attempt/truncate.ts'
import type { ReceiverKind } from '../kind.ts'
import type { NotifyResult } from '../notifier.ts'
import { type RocketchatIntegration, rocketchatConfig } from './config.ts'
import type { AlertmanagerRocketchatConfig } from './written.ts'

/** The most characters of a title. */
const maxTitle = 1_024

/** Posts to a Rocket.Chat channel. @see Rocket.Chat API, `chat.postMessage` */
export const rocketchat: ReceiverKind<RocketchatIntegration, AlertmanagerRocketchatConfig> = {
  ...rocketchatConfig,
  create: (integration, ports) => ({
    name: 'rocketchat',
    async notify(notification, signal) {
      const body = jsonBody(message(integration, notification))
      const { api_url, token, token_file, token_id, token_id_file, http_config: http } = integration
      const authToken = await secretOf(ports, token, token_file)
      const userId = await secretOf(ports, token_id, token_id_file)
      const post = jsonPost(apiUrl(api_url, { path: 'api/v1/chat.postMessage' }), body)
      const headers = { ...post.headers, 'x-auth-token': authToken, 'x-user-id': userId }
      const detailsOf = detailsWithout([authToken, userId])
      const accept = (answer: OutgoingAnswer): NotifyResult => judge(answer, detailsOf)
      return attempt(ports, { ...post, headers }, { http, signal, detailsOf, accept })
    },
  }),
}

function message(integration: RocketchatIntegration, notification: Notification): object {
  const render = (template: string): string | undefined => unlessEmpty(notification.text(template))
  const attachment = {
    title: unlessEmpty(truncate(notification.text(integration.title), maxTitle)),
    title_link: render(integration.title_link),
    text: render(integration.text),
    image_url: render(integration.image_url),
    thumb_url: render(integration.thumb_url),
    color: render(integration.color),
    fields: unlessNone(
      integration.fields.map(({ title, value, short = integration.short_fields }) => {
        return { short, title: render(title), value: render(value) }
      }),
    ),
    // Rocket.Chat has no other type.
    actions: unlessNone(
      integration.actions.map(({ text, url, msg }) => {
        return { type: 'button', text: render(text), url: render(url), msg: render(msg) }
      }),
    ),
  }
  return {
    channel: render(integration.channel),
    emoji: render(integration.emoji),
    avatar: render(integration.icon_url),
    attachments: [attachment],
  }
}

const unlessNone = <T>(list: readonly T[]): readonly T[] | undefined =>
  list.length === 0 ? undefined : list

/** Rocket.Chat may refuse a message with a success status. A long response repeats the message and is truncated. */
function judge(
  answer: OutgoingAnswer,
  detailsOf: (answer: OutgoingAnswer) => string,
): NotifyResult {
  const members = answerMembers(answer)
  if (members === undefined) {
    const detail = `cannot read the response of Rocketchat: ${detailsOf(answer)}`
    return { outcome: 'retry', reason: 'other', detail }
  }
  if (members.success !== false) return { outcome: 'sent' }
  const body = typeof members.error === 'string' ? members.error : answer.body
  return refusal(`error response from Rocketchat: ${detailsOf({ ...answer, body })}`)
}
