import type {
  AlertmanagerDiscordConfig,
  AlertmanagerMsteamsConfig,
  AlertmanagerMsteamsV2Config,
  AlertmanagerTelegramConfig,
  AlertmanagerWebexConfig,
  AlertmanagerWechatConfig,
} from '../config/written/chats.ts'
import type { AlertmanagerMattermostConfig } from '../config/written/mattermost-config.ts'
import type {
  AlertmanagerEmailConfig,
  AlertmanagerJiraConfig,
  AlertmanagerSnsConfig,
  AlertmanagerWebhookConfig,
} from '../config/written/messages.ts'
import type {
  AlertmanagerIncidentioConfig,
  AlertmanagerOpsgenieConfig,
  AlertmanagerPagerdutyConfig,
  AlertmanagerPushoverConfig,
  AlertmanagerVictoropsConfig,
} from '../config/written/pagers.ts'
import type { AlertmanagerRocketchatConfig } from '../config/written/rocketchat-config.ts'
import type { AlertmanagerSlackConfig } from '../config/written/slack-config.ts'

/** Whom to notify and how. @see Alertmanager configuration, `<receiver>` */
export interface AlertmanagerReceiver {
  /** What routes refer to it by. */
  readonly name: string
  /** Labels for filters of receivers (default: `name` alone). */
  readonly labels?: Readonly<Record<string, string>>
  readonly discord_configs?: readonly AlertmanagerDiscordConfig[]
  readonly email_configs?: readonly AlertmanagerEmailConfig[]
  readonly incidentio_configs?: readonly AlertmanagerIncidentioConfig[]
  readonly jira_configs?: readonly AlertmanagerJiraConfig[]
  readonly mattermost_configs?: readonly AlertmanagerMattermostConfig[]
  readonly msteams_configs?: readonly AlertmanagerMsteamsConfig[]
  readonly msteamsv2_configs?: readonly AlertmanagerMsteamsV2Config[]
  readonly opsgenie_configs?: readonly AlertmanagerOpsgenieConfig[]
  readonly pagerduty_configs?: readonly AlertmanagerPagerdutyConfig[]
  readonly pushover_configs?: readonly AlertmanagerPushoverConfig[]
  readonly rocketchat_configs?: readonly AlertmanagerRocketchatConfig[]
  readonly slack_configs?: readonly AlertmanagerSlackConfig[]
  readonly sns_configs?: readonly AlertmanagerSnsConfig[]
  readonly telegram_configs?: readonly AlertmanagerTelegramConfig[]
  readonly victorops_configs?: readonly AlertmanagerVictoropsConfig[]
  readonly webex_configs?: readonly AlertmanagerWebexConfig[]
  readonly webhook_configs?: readonly AlertmanagerWebhookConfig[]
  readonly wechat_configs?: readonly AlertmanagerWechatConfig[]
}
