import type { AlertmanagerIntegration } from '../written-integration.ts'

interface MattermostField {
  readonly title?: string
  readonly value?: string
  /** Whether it may be shown beside another field (default `false`). */
  readonly short?: boolean
}

/** A message attachment. Every text is a template. */
interface MattermostAttachment {
  /** The text if attachments cannot be shown. */
  readonly fallback?: string
  readonly color?: string
  readonly pretext?: string
  readonly text?: string
  readonly author_name?: string
  readonly author_link?: string
  readonly author_icon?: string
  readonly title?: string
  readonly title_link?: string
  readonly fields?: readonly MattermostField[]
  readonly thumb_url?: string
  readonly footer?: string
  readonly footer_icon?: string
  readonly image_url?: string
}

interface MattermostPriority {
  /** Such as `important` or `urgent`. */
  readonly priority?: string
  /** Whether readers must acknowledge the message (default `false`). */
  readonly requested_ack?: boolean
  /** Whether readers are reminded until they acknowledge (default `false`). */
  readonly persistent_notifications?: boolean
}

interface MattermostProps {
  /** Markdown text that is shown beside the message. */
  readonly card?: string
}

/**
 * Posts to Mattermost: one attachment from the keys here, or `attachments`. `send_resolved` is `true` by default.
 *
 * @see Alertmanager configuration, `<mattermost_config>`
 */
export interface AlertmanagerMattermostConfig
  extends AlertmanagerIntegration,
    MattermostAttachment {
  /** A secret (default: that of `global`). Either this or `webhook_url_file`. */
  readonly webhook_url?: string
  readonly webhook_url_file?: string
  readonly channel?: string
  readonly username?: string
  readonly icon_url?: string
  readonly icon_emoji?: string
  readonly attachments?: readonly MattermostAttachment[]
  /** The type of the post. */
  readonly type?: string
  readonly props?: MattermostProps
  readonly priority?: MattermostPriority
}
