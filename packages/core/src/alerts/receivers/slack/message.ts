import type { Notification } from '../../notification/notification.ts'
import { unlessEmpty } from '../attempt/json-body.ts'
import { truncate } from '../attempt/truncate.ts'
import type { SlackAction, SlackField, SlackIntegration } from './config.ts'

/** The most characters of a title. */
const maxTitle = 1_024

type Render = (template: string) => string

/** The target of a message. */
export interface SlackPlace {
  /** A channel's name or id; empty if the URL of the webhook determines it. */
  readonly channel: string
  /** The message to update; absent for a new one. */
  readonly ts?: string
}

/** A message with one attachment. @see Slack API, "Reference: Secondary message attachments" */
export function slackMessage(
  integration: SlackIntegration,
  notification: Notification,
  { channel, ts }: SlackPlace,
): object {
  const render: Render = (template) => notification.text(template)
  return {
    channel: unlessEmpty(channel),
    ts,
    username: unlessEmpty(render(integration.username)),
    icon_emoji: unlessEmpty(render(integration.icon_emoji)),
    icon_url: unlessEmpty(render(integration.icon_url)),
    link_names: integration.link_names ? true : undefined,
    text: unlessEmpty(render(integration.message_text)),
    attachments: [attachment(integration, render)],
  }
}

function attachment(integration: SlackIntegration, render: Render): object {
  const { short_fields, mrkdwn_in } = integration
  const fields = integration.fields.map((given) => field(given, short_fields, render))
  const actions = integration.actions.map((given) => action(given, render))
  return {
    title: unlessEmpty(truncate(render(integration.title), maxTitle)),
    title_link: unlessEmpty(render(integration.title_link)),
    pretext: unlessEmpty(render(integration.pretext)),
    text: render(integration.text),
    fallback: render(integration.fallback),
    callback_id: render(integration.callback_id),
    fields: unlessEmpty(fields),
    actions: unlessEmpty(actions),
    image_url: unlessEmpty(render(integration.image_url)),
    thumb_url: unlessEmpty(render(integration.thumb_url)),
    footer: render(integration.footer),
    color: unlessEmpty(render(integration.color)),
    mrkdwn_in: mrkdwn_in.length === 0 ? ['fallback', 'pretext', 'text'] : mrkdwn_in,
  }
}

const field = ({ title, value, short }: SlackField, shortFields: boolean, render: Render) => ({
  title: unlessEmpty(render(title)),
  value: unlessEmpty(render(value)),
  short: short ?? shortFields,
})

function action({ confirm, ...given }: SlackAction, render: Render): object {
  return {
    type: unlessEmpty(render(given.type)),
    text: unlessEmpty(render(given.text)),
    url: unlessEmpty(render(given.url)),
    style: unlessEmpty(render(given.style)),
    name: unlessEmpty(render(given.name)),
    value: unlessEmpty(render(given.value)),
    confirm: confirm && {
      text: unlessEmpty(render(confirm.text)),
      title: unlessEmpty(render(confirm.title)),
      ok_text: unlessEmpty(render(confirm.ok_text)),
      dismiss_text: unlessEmpty(render(confirm.dismiss_text)),
    },
  }
}
