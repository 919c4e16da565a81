import { discord } from './discord/notifier.ts'
import { email } from './email/notifier.ts'
import { incidentio } from './incidentio/notifier.ts'
import { jira } from './jira/notifier.ts'
import { mattermost } from './mattermost/notifier.ts'
import { msteams } from './msteams/notifier.ts'
import { msteamsv2 } from './msteamsv2/notifier.ts'
import { opsgenie } from './opsgenie/notifier.ts'
import { pagerduty } from './pagerduty/notifier.ts'
import { pushover } from './pushover/notifier.ts'
import { rocketchat } from './rocketchat/notifier.ts'
import { slack } from './slack/notifier.ts'
import { sns } from './sns/notifier.ts'
import { telegram } from './telegram/notifier.ts'
import { victorops } from './victorops/notifier.ts'
import { webex } from './webex/notifier.ts'
import { webhook } from './webhook/notifier.ts'
import { webhookRun } from './webhook-run/notifier.ts'
import { wechat } from './wechat/notifier.ts'

/** A receiver's type with its settings and its notifier. */
export type Kind =
  | typeof discord
  | typeof email
  | typeof incidentio
  | typeof jira
  | typeof mattermost
  | typeof msteams
  | typeof msteamsv2
  | typeof opsgenie
  | typeof pagerduty
  | typeof pushover
  | typeof rocketchat
  | typeof slack
  | typeof sns
  | typeof telegram
  | typeof victorops
  | typeof webex
  | typeof webhook
  | typeof webhookRun
  | typeof wechat

/** All receivers by their type. `integrations.ts` derives everything else from it. */
export const kinds: { readonly [K in Kind as K['type']]: K } = {
  discord,
  email,
  incidentio,
  jira,
  mattermost,
  msteams,
  msteamsv2,
  opsgenie,
  pagerduty,
  pushover,
  rocketchat,
  slack,
  sns,
  telegram,
  victorops,
  webex,
  webhook,
  webhook_run: webhookRun,
  wechat,
}
