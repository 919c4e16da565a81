import type { AlertmanagerIntegration } from '../written-integration.ts'

interface RocketchatField {
  readonly title?: string
  readonly value?: string
  /** Default: the value of `short_fields`. */
  readonly short?: boolean
}

/** Only `text`, `url` and `msg` are sent. The other keys are those that Alertmanager accepts. */
interface RocketchatAction {
  readonly type?: string
  readonly text?: string
  readonly url?: string
  readonly imageurl?: string
  readonly iswebview?: boolean
  readonly webviewheightratio?: string
  readonly msg?: string
  readonly msginchatwindow?: boolean
  readonly msgprocessingtype?: string
}

/** Posts to Rocket.Chat. Texts are templates. `send_resolved` is `false` by default. @see Alertmanager configuration, `<rocketchat_config>` */
export interface AlertmanagerRocketchatConfig extends AlertmanagerIntegration {
  /** Default: `global.rocketchat_api_url`. */
  readonly api_url?: string
  /** A secret (default: that of `global`). Either this or `token_id_file`. */
  readonly token_id?: string
  readonly token_id_file?: string
  /** A secret (default: that of `global`). Either this or `token_file`. */
  readonly token?: string
  readonly token_file?: string
  readonly channel?: string
  /** Default: red while alerts fire, else green. */
  readonly color?: string
  readonly title?: string
  readonly title_link?: string
  readonly text?: string
  readonly fields?: readonly RocketchatField[]
  /** Whether fields are shown beside each other (default `false`). */
  readonly short_fields?: boolean
  readonly emoji?: string
  readonly icon_url?: string
  readonly image_url?: string
  readonly thumb_url?: string
  /** Whether names of users and channels become links (default `false`). */
  readonly link_names?: boolean
  /** Buttons. */
  readonly actions?: readonly RocketchatAction[]
}
