import type { Sender } from '../webhook.ts'
import { alertmanager } from './alertmanager/sender.ts'
import { awsSns } from './aws-sns/sender.ts'
import { bitbucket } from './bitbucket/sender.ts'
import { discord } from './discord/sender.ts'
import { dockerHub } from './docker-hub/sender.ts'
import { gitea } from './gitea/sender.ts'
import { github } from './github/sender.ts'
import { gitlab } from './gitlab/sender.ts'
import { grafana } from './grafana/sender.ts'
import { jira } from './jira/sender.ts'
import { linear } from './linear/sender.ts'
import { mailgun } from './mailgun/sender.ts'
import { meta } from './meta/sender.ts'
import { microsoftGraph } from './microsoft-graph/sender.ts'
import { paypal } from './paypal/sender.ts'
import { sendgrid } from './sendgrid/sender.ts'
import { shopify } from './shopify/sender.ts'
import { slack } from './slack/sender.ts'
import { standard } from './standard/sender.ts'
import { stripe } from './stripe/sender.ts'
import { trello } from './trello/sender.ts'
import { twilio } from './twilio/sender.ts'
import { zoom } from './zoom/sender.ts'

/** The senders that are known without being defined. */
export const senders: readonly Sender[] = [
  alertmanager,
  awsSns,
  bitbucket,
  discord,
  dockerHub,
  gitea,
  github,
  gitlab,
  grafana,
  jira,
  linear,
  mailgun,
  meta,
  microsoftGraph,
  paypal,
  sendgrid,
  shopify,
  slack,
  standard,
  stripe,
  trello,
  twilio,
  zoom,
]
