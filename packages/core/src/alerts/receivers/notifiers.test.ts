import { describe, expect, it } from 'vitest'
import { configured } from './configured.fixture.ts'
import { integrationTypes } from './define-integration.ts'
import { testPorts } from './delivery.fixture.ts'
import { notifierOf } from './notifiers.ts'
import type { Integration } from './receiver.ts'

const url = 'http://127.0.0.1/'

/** The least that each type must be told. */
const settings: Readonly<Record<Integration['type'], object>> = {
  webhook: { url },
  email: { to: 'a@b', from: 'c@d', smarthost: 'h:25' },
  pagerduty: { routing_key: 'k' },
  opsgenie: { api_key: 'k' },
  wechat: { api_secret: 's', corp_id: 'c' },
  slack: { api_url: url },
  victorops: { api_key: 'k', routing_key: 'r' },
  pushover: { user_key: 'u', token: 't' },
  sns: { topic_arn: 't' },
  telegram: { bot_token: 't', chat_id: 1 },
  discord: { webhook_url: url },
  webex: { room_id: 'r', http_config: { authorization: { credentials: 'c' } } },
  msteams: { webhook_url: url },
  msteamsv2: { webhook_url: url },
  jira: { api_url: url, project: 'p', issue_type: 't' },
  incidentio: { url, alert_source_token: 't' },
  rocketchat: { api_url: url, token: 't', token_id: 'i' },
  mattermost: { webhook_url: url },
}

describe('notifierOf', () => {
  it.each(integrationTypes)('makes the notifier of %s', (type) => {
    expect(notifierOf(configured(type, settings[type]), testPorts()).name).toBe(type)
  })
})
