import { discordNotifier } from './discord/notifier.ts'
import { emailNotifier } from './email/notifier.ts'
import { incidentioNotifier } from './incidentio/notifier.ts'
import { jiraNotifier } from './jira/notifier.ts'
import { mattermostNotifier } from './mattermost/notifier.ts'
import { msteamsNotifier } from './msteams/notifier.ts'
import { msteamsv2Notifier } from './msteamsv2/notifier.ts'
import type { Notifier, NotifierFactory, NotifierPorts } from './notifier.ts'
import { opsgenieNotifier } from './opsgenie/notifier.ts'
import { pagerdutyNotifier } from './pagerduty/notifier.ts'
import { pushoverNotifier } from './pushover/notifier.ts'
import type { Integration } from './receiver.ts'
import { rocketchatNotifier } from './rocketchat/notifier.ts'
import { slackNotifier } from './slack/notifier.ts'
import { snsNotifier } from './sns/notifier.ts'
import { telegramNotifier } from './telegram/notifier.ts'
import { victoropsNotifier } from './victorops/notifier.ts'
import { webexNotifier } from './webex/notifier.ts'
import { webhookNotifier } from './webhook/notifier.ts'
import { wechatNotifier } from './wechat/notifier.ts'

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
