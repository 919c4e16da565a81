import type { Integration } from '../config/receiver.ts'
import { discordNotifier } from '../notifiers/discord.ts'
import { emailNotifier } from '../notifiers/email.ts'
import { incidentioNotifier } from '../notifiers/incidentio.ts'
import { jiraNotifier } from '../notifiers/jira.ts'
import { mattermostNotifier } from '../notifiers/mattermost.ts'
import { msteamsNotifier } from '../notifiers/msteams.ts'
import { msteamsv2Notifier } from '../notifiers/msteamsv2.ts'
import { opsgenieNotifier } from '../notifiers/opsgenie.ts'
import { pagerdutyNotifier } from '../notifiers/pagerduty.ts'
import { pushoverNotifier } from '../notifiers/pushover.ts'
import { rocketchatNotifier } from '../notifiers/rocketchat.ts'
import { slackNotifier } from '../notifiers/slack.ts'
import { snsNotifier } from '../notifiers/sns.ts'
import { telegramNotifier } from '../notifiers/telegram.ts'
import { victoropsNotifier } from '../notifiers/victorops.ts'
import { webexNotifier } from '../notifiers/webex.ts'
import { webhookNotifier } from '../notifiers/webhook.ts'
import { wechatNotifier } from '../notifiers/wechat.ts'
import type { Notifier, NotifierFactory, NotifierPorts } from './notifier.ts'

type Factories = { readonly [I in Integration as I['type']]: NotifierFactory<I> }

const factories: Factories = {
  webhook: webhookNotifier,
  email: emailNotifier,
  pagerduty: pagerdutyNotifier,
  opsgenie: opsgenieNotifier,
  wechat: wechatNotifier,
  slack: slackNotifier,
  victorops: victoropsNotifier,
  pushover: pushoverNotifier,
  sns: snsNotifier,
  telegram: telegramNotifier,
  discord: discordNotifier,
  webex: webexNotifier,
  msteams: msteamsNotifier,
  msteamsv2: msteamsv2Notifier,
  jira: jiraNotifier,
  incidentio: incidentioNotifier,
  rocketchat: rocketchatNotifier,
  mattermost: mattermostNotifier,
}

/** Makes the notifier of an integration of a receiver. */
export function notifierOf(integration: Integration, ports: NotifierPorts): Notifier {
  const factory: NotifierFactory<Integration> = factories[integration.type]
  return factory.create(integration, ports)
}
