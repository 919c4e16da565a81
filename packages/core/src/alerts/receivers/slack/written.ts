import type { AlertmanagerIntegration } from '../written-integration.ts'

interface SlackField {
  readonly title: string
  readonly value: string
  /** Default: as `short_fields` says. */
  readonly short?: boolean
}

/** What is asked before an action is done. */
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
 * Posts to Slack: by an incoming webhook (`api_url`), or as an app (`app_token`). Texts are templates. `send_resolved` is `false` by
 * default.
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
  /** Where an app posts to (default: that of `global`). */
  readonly app_url?: string
  /** A channel or a user, as `#alerts`. */
  readonly channel?: string
  readonly username?: string
  /** Default: `danger` while alerts fire, else `good`. */
  readonly color?: string
  readonly title?: string
  readonly title_link?: string
  readonly pretext?: string
  readonly text?: string
  /** Text beside the attachment. */
  readonly message_text?: string
  readonly fields?: readonly SlackField[]
  /** Whether fields stand beside each other (default `false`). */
  readonly short_fields?: boolean
  readonly footer?: string
  /** What is shown where attachments cannot be. */
  readonly fallback?: string
  readonly callback_id?: string
  readonly icon_emoji?: string
  readonly icon_url?: string
  readonly image_url?: string
  readonly thumb_url?: string
  /** Whether names of users and channels become links (default `false`). */
  readonly link_names?: boolean
  /** Which parts are read as Slack's markup, as `text` and `pretext` (default `fallback`, `pretext` and `text`). */
  readonly mrkdwn_in?: readonly string[]
  readonly actions?: readonly SlackAction[]
  /** Whether later notifications of a group change the first message (default `false`). */
  readonly update_message?: boolean
  /** For one attempt, as `10s` (default: none). */
  readonly timeout?: string
}
