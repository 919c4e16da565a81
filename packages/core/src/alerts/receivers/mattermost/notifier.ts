import type { Notification } from '../../notification/notification.ts'
import { unlessEmpty } from '../attempt/json-body.ts'
import { postToIncomingWebhook } from '../attempt/post-to-incoming-webhook.ts'
import { truncate } from '../attempt/truncate.ts'
import type { ReceiverKind } from '../kind.ts'
import {
  type MattermostAttachment,
  type MattermostIntegration,
  type MattermostPriority,
  mattermostConfig,
} from './config.ts'
import type { AlertmanagerMattermostConfig } from './written.ts'

/** The most characters of a text. */
const maxText = 16_383

/** Posts to a Mattermost channel. @see Mattermost, "Incoming webhooks" */
export const mattermost: ReceiverKind<MattermostIntegration, AlertmanagerMattermostConfig> = {
  ...mattermostConfig,
  create: (integration, ports) => ({
    name: 'mattermost',
    async notify(notification, signal) {
      const body = message(integration, notification)
      return postToIncomingWebhook(ports, integration, { body, signal })
    },
  }),
}

type Render = (template: string) => string | undefined

/** A message with the configured attachments, or with one from the integration's own keys. */
function message(integration: MattermostIntegration, notification: Notification): object {
  const render: Render = (template) => unlessEmpty(notification.text(template))
  const { attachments, props, priority } = integration
  const hasOwn = attachments.length > 0
  const card = props && render(props.card)
  return {
    text: hasOwn ? shortText(integration.text, render) : undefined,
    channel: render(integration.channel),
    username: render(integration.username),
    icon_url: render(integration.icon_url),
    icon_emoji: render(integration.icon_emoji),
    attachments: (hasOwn ? attachments : [integration]).map((one) => attachment(one, render)),
    type: render(integration.post_type),
    props: card === undefined ? undefined : { card },
    priority: priority && urgency(priority, render),
  }
}

function attachment(given: MattermostAttachment, render: Render): object {
  const fields = given.fields.map(({ title, value, short }) => {
    return { title: render(title), value: render(value), short }
  })
  return {
    fallback: render(given.fallback),
    color: render(given.color),
    pretext: render(given.pretext),
    text: shortText(given.text, render),
    author_name: render(given.author_name),
    author_link: render(given.author_link),
    author_icon: render(given.author_icon),
    title: render(given.title),
    title_link: render(given.title_link),
    fields: fields.length === 0 ? undefined : fields,
    thumb_url: render(given.thumb_url),
    footer: render(given.footer),
    footer_icon: render(given.footer_icon),
    image_url: render(given.image_url),
  }
}

const shortText = (template: string, render: Render): string | undefined =>
  truncate(render(template) ?? '', maxText) || undefined

/** Only urgent messages may notify repeatedly, and only priorities above standard may request an acknowledgement. */
function urgency(given: MattermostPriority, render: Render): object {
  const rendered = render(given.priority)?.trim().toLowerCase()
  const priority = rendered === 'urgent' || rendered === 'important' ? rendered : 'standard'
  const asksForAck = given.requested_ack && priority !== 'standard'
  const persists = given.persistent_notifications && priority === 'urgent'
  return {
    priority,
    requested_ack: asksForAck ? true : undefined,
    persistent_notifications: persists ? true : undefined,
  }
}
