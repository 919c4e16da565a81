import type { AlertmanagerIntegration } from '../written-integration.ts'

interface SlackField {
  readonly title: string
  readonly value: string
  /** Default: the value of `short_fields`. */
  readonly short?: boolean
}

/** The question before an action is run. */
interface SlackConfirmation {
  readonly text: string
  readonly title?: string
  readonly ok_text?: string
  readonly dismiss_text?: string
}

/** A button. It has either a `url`, or a `name` with a value and a confirmation. */
interface SlackAction {
  readonly type: string
  readonly text: string
  readonly url?: string
  readonly style?: string
  readonly name?: string
  readonly value?: string
  readonly confirm?: SlackConfirmation
}

/**
 * Posts to Slack: with an incoming webhook (`api_url`), or as an app (`app_token`). Texts are templates. `send_resolved` is
 * `false` by default.
 *
 * @see Alertmanager configuration, `<slack_config>`
 */
export interface AlertmanagerSlackConfig extends AlertmanagerIntegration {
  /** A secret (default: that of `global`). Either this or `api_url_file`. */
  readonly api_url?: string
  readonly api_url_file?: string
  /** A secret (default: that of `global`). Either this or `app_token_file`. */
  readonly app_token?: string
  readonly app_token_file?: string
  /** The URL that an app posts to (default: that of `global`). */
  readonly app_url?: string
  /** A channel or a user, such as `#alerts`. */
  readonly channel?: string
  readonly username?: string
  /** Default: `danger` while alerts fire, else `good`. */
  readonly color?: string
  readonly title?: string
  readonly title_link?: string
  readonly pretext?: string
  readonly text?: string
  /** Text above the attachment. */
  readonly message_text?: string
  readonly fields?: readonly SlackField[]
  /** Whether fields are shown beside each other (default `false`). */
  readonly short_fields?: boolean
  readonly footer?: string
  /** The text if attachments cannot be shown. */
  readonly fallback?: string
  readonly callback_id?: string
  readonly icon_emoji?: string
  readonly icon_url?: string
  readonly image_url?: string
  readonly thumb_url?: string
  /** Whether names of users and channels become links (default `false`). */
  readonly link_names?: boolean
  /** The parts with Slack's markup, such as `text` and `pretext` (default `fallback`, `pretext` and `text`). */
  readonly mrkdwn_in?: readonly string[]
  readonly actions?: readonly SlackAction[]
  /** Whether later notifications of a group update the first message (default `false`). */
  readonly update_message?: boolean
  /** The timeout of an attempt, such as `10s` (default: none). */
  readonly timeout?: string
}
