import { goQuote } from '../../go/quote.ts'
import { block } from '../../go/yaml/block.ts'
import type { ConfigKind } from '../../go/yaml/decoder.ts'
import { text, textMap } from '../../go/yaml/kinds.ts'
import type { YamlMap, YamlValue } from '../../go/yaml/text.ts'
import type {
  IntegrationBase,
  IntegrationDefinition,
  IntegrationType,
} from './define-integration.ts'
import { type DiscordIntegration, discord } from './discord/config.ts'
import { type EmailIntegration, email } from './email/config.ts'
import { type IncidentioIntegration, incidentio } from './incidentio/config.ts'
import { type JiraIntegration, jira } from './jira/config.ts'
import { type MattermostIntegration, mattermost } from './mattermost/config.ts'
import { type MsteamsIntegration, msteams } from './msteams/config.ts'
import { type Msteamsv2Integration, msteamsv2 } from './msteamsv2/config.ts'
import { type OpsgenieIntegration, opsgenie } from './opsgenie/config.ts'
import { type PagerdutyIntegration, pagerduty } from './pagerduty/config.ts'
import { type PushoverIntegration, pushover } from './pushover/config.ts'
import { type RocketchatIntegration, rocketchat } from './rocketchat/config.ts'
import { type SlackIntegration, slack } from './slack/config.ts'
import { type SnsIntegration, sns } from './sns/config.ts'
import { type TelegramIntegration, telegram } from './telegram/config.ts'
import { type VictoropsIntegration, victorops } from './victorops/config.ts'
import { type WebexIntegration, webex } from './webex/config.ts'
import { type WebhookIntegration, webhook } from './webhook/config.ts'
import { type WechatIntegration, wechat } from './wechat/config.ts'

/** An integration of a receiver with its settings, by `type`. */
export type Integration =
  | WebhookIntegration
  | EmailIntegration
  | PagerdutyIntegration
  | OpsgenieIntegration
  | WechatIntegration
  | SlackIntegration
  | VictoropsIntegration
  | PushoverIntegration
  | SnsIntegration
  | TelegramIntegration
  | DiscordIntegration
  | WebexIntegration
  | MsteamsIntegration
  | Msteamsv2Integration
  | JiraIntegration
  | IncidentioIntegration
  | RocketchatIntegration
  | MattermostIntegration

/** Who is notified. @see Alertmanager configuration, `<receiver>` */
export interface ReceiverConfig {
  readonly name: string
  /** Always with `name`. */
  readonly labels: ReadonlyMap<string, string>
  /** By type in the order of {@link integrationTypes}, then in the order of the file. */
  readonly integrations: readonly Integration[]
}

type Lists = { readonly [Type in IntegrationType as `${Type}_configs`]: readonly object[] }

/** A receiver as it is written. */
export interface WrittenReceiver extends Lists {
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
}

/** All definitions, in the order in which a receiver's lists are checked. */
export const integrationDefinitions: readonly IntegrationDefinition<Integration>[] = [
  webhook,
  email,
  slack,
  pushover,
  pagerduty,
  incidentio,
  opsgenie,
  wechat,
  victorops,
  sns,
  telegram,
  discord,
  webex,
  msteams,
  msteamsv2,
  jira,
  rocketchat,
  mattermost,
]

/** An element of `receivers` */
export const receiver: ConfigKind<WrittenReceiver> = block<WrittenReceiver>({
  typeName: 'config.plain',
  fields: {
    name: { kind: text, print: 'always' },
    labels: { kind: textMap },
    discord_configs: discord.list,
    email_configs: email.list,
    incidentio_configs: incidentio.list,
    pagerduty_configs: pagerduty.list,
    slack_configs: slack.list,
    webhook_configs: webhook.list,
    opsgenie_configs: opsgenie.list,
    wechat_configs: wechat.list,
    pushover_configs: pushover.list,
    victorops_configs: victorops.list,
    sns_configs: sns.list,
    telegram_configs: telegram.list,
    webex_configs: webex.list,
    msteams_configs: msteams.list,
    msteamsv2_configs: msteamsv2.list,
    jira_configs: jira.list,
    rocketchat_configs: rocketchat.list,
    mattermost_configs: mattermost.list,
  },
  check({ name, labels }, report) {
    if (name === '') report('missing name in receiver')
    const implied = labels.get('name')
    if (implied !== undefined && implied !== name) {
      const expected = `must match receiver name ${goQuote(name)}, got ${goQuote(implied)}`
      report(`receiver label "name" ${expected}`, 'labels')
    }
  },
})

const printOrder: readonly IntegrationDefinition<Integration>[] = [
  discord,
  email,
  incidentio,
  pagerduty,
  slack,
  webhook,
  opsgenie,
  wechat,
  pushover,
  victorops,
  sns,
  telegram,
  webex,
  msteams,
  msteamsv2,
  jira,
  rocketchat,
  mattermost,
]

/** Writes a receiver with what its integrations inherited; labels that were not given are left out. */
export function encodeReceiver(config: ReceiverConfig): YamlMap {
  const entries = new Map<string, YamlValue>([['name', config.name]])
  const labels = textMap.encode(config.labels)
  if (config.labels.size > 1 && labels !== undefined) entries.set('labels', labels)
  for (const { type, encode } of printOrder) {
    const ofType = config.integrations.filter((integration) => integration.type === type)
    if (ofType.length > 0)
      entries.set(
        `${type}_configs`,
        ofType.map((one: IntegrationBase) => encode(one)),
      )
  }
  return entries
}
