import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadAlertsConfig } from '@gatehouse/core/alerts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { amtoolBinary, describeWith, pathOf } from '../../../test-support/binaries.ts'
import { run } from './support/run.ts'
import { temporaryFolder } from './support/server.ts'

/** Elements of receivers with unusual combinations of keys, none of them newer than amtool 0.25. */
const elements: Readonly<Record<string, readonly string[]>> = {
  webhook_configs: [
    '{}',
    '{url: "http://a", max_alerts: -1}',
    '{url: "ftp://a"}',
    '{url: "http://"}',
    '{url: " http://a"}',
    '{url: "http://a", url_file: f}',
    '{url: "http://a", http_config: {bearer_token: x, basic_auth: {username: a}}}',
    '{url: "http://a", http_config: {authorization: {type: Basic, credentials: x}}}',
    '{url: "http://a", http_config: {authorization: {type: "", credentials: x}}}',
    '{url: "http://a", http_config: {proxy_url: "http://p", proxy_from_environment: true}}',
    '{url: "http://a", http_config: {no_proxy: "x"}}',
    '{url: "http://a", http_config: {tls_config: {min_version: TLS13, max_version: TLS10}}}',
    '{url: "http://a", http_config: {tls_config: {min_version: TLS9}}}',
    '{url: "http://a", http_config: {tls_config: {cert_file: x}}}',
    '{url: "http://a", http_config: {oauth2: {client_id: a}}}',
    '{url: "http://a", http_config: {oauth2: {client_id: a, client_secret: b, client_secret_file: c, token_url: "http://t"}}}',
    '{url: "http://a", http_config: {follow_redirects: "no"}}',
    '{url: "http://a", http_config: {enable_http2: false}}',
    '{url: "http://a", url: "http://b"}',
    '{<<: {url: "http://a"}}',
    '&a {url: "http://a"}, *a',
    '{url: "http://a", send_resolved: "true"}',
    '{url: "http://a", send_resolved: yes}',
    '{url: "http://a", send_resolved: ON}',
    '{url: "http://a", send_resolved: y}',
    '{url: "http://a", http_config: {authorization: {credentials: <secret>}}}',
    '{url: "http://a", http_config: {basic_auth: {username: a, password: <secret>}}}',
  ],
  email_configs: [
    '{to: a}',
    '{from: a, smarthost: "h:25"}',
    '{to: a, from: b, smarthost: h}',
    '{to: a, from: b, smarthost: "h:25:3"}',
    '{to: a, from: b, smarthost: ":25"}',
    '{to: a, from: b, smarthost: "h:"}',
    '{to: a, from: b, smarthost: "[::1]:25"}',
    '{to: a, from: b, smarthost: "h:25", headers: {subject: x, Subject: y}}',
    '{to: a, from: b, smarthost: "h:25", headers: {X: 5}}',
    '{to: a, from: b, smarthost: "h:25", headers: {X: null}}',
    '{to: a, from: b, smarthost: "h:25", headers: {"a b": x}}',
    '{to: "", from: b, smarthost: "h:25"}',
    '{to: a, from: b, smarthost: "h:25", tls_config: {insecure_skip_verify: maybe}}',
    '{to: a, from: b, smarthost: "h:25", require_tls: "yes"}',
    '{to: a, from: b, smarthost: "h:25", auth_password: x, auth_password_file: y}',
    '{to: a, from: b, smarthost: "h:25", auth_password: <secret>}',
  ],
  pagerduty_configs: [
    '{}',
    '{routing_key: a, service_key: b}',
    '{routing_key: a, routing_key_file: b}',
    '{routing_key: a, details: [1]}',
    '{routing_key: a, details: {x: 1}}',
    '{routing_key: a, details: {x: true}}',
    '{routing_key: a, details: {x: null}}',
    '{routing_key: a, images: [{}], links: [{}]}',
    '{routing_key: a, links: [null]}',
    '{routing_key: a, url: "nope"}',
    '{routing_key: a, source: b, client: c, client_url: "x y"}',
    '{routing_key: 123}',
    '{routing_key: <secret>}',
  ],
  slack_configs: [
    '{}',
    '{api_url: "http://a", api_url_file: f}',
    '{api_url: "http://a", fields: [{value: x}]}',
    '{api_url: "http://a", fields: [{title: x}]}',
    '{api_url: "http://a", fields: [{title: "", value: ""}]}',
    '{api_url: "http://a", actions: [{text: x, url: u}]}',
    '{api_url: "http://a", actions: [{type: button, url: u}]}',
    '{api_url: "http://a", actions: [{type: button, text: u}]}',
    '{api_url: "http://a", actions: [{type: button, text: u, name: n}]}',
    '{api_url: "http://a", actions: [{type: button, text: u, url: x, confirm: {}}]}',
    '{api_url: "http://a", short_fields: "true"}',
    '{api_url: "http://a", mrkdwn_in: text}',
    '{api_url: "http://a", mrkdwn_in: [1, null]}',
    '{api_url: "http://a", channel: #x}',
    '{api_url: <secret>}',
  ],
  opsgenie_configs: [
    '{}',
    '{api_key: a, api_key_file: b}',
    '{api_key: a, responders: [{name: x}]}',
    '{api_key: a, responders: [{name: x, type: foo}]}',
    '{api_key: a, responders: [{name: x, type: "{{ .x }}"}]}',
    '{api_key: a, responders: [{name: x, type: TEAM}]}',
    '{api_key: a, responders: [{type: team}]}',
    '{api_key: a, responders: [{name: x, type: teams}]}',
    '{api_key: a, details: {a: 1}}',
    '{api_key: a, update_alerts: 1}',
  ],
  victorops_configs: [
    '{api_key: a}',
    '{routing_key: a}',
    '{routing_key: a, api_key: b, api_key_file: c}',
    '{routing_key: a, api_key: b, custom_fields: {entity_id: x}}',
    '{routing_key: a, api_key: b, custom_fields: {Message_Type: x}}',
    '{routing_key: a, api_key: b, message_type: FOO}',
  ],
  pushover_configs: [
    '{}',
    '{user_key: a}',
    '{user_key: a, user_key_file: b, token: c}',
    '{user_key: a, token: c, html: true, monospace: true}',
    '{user_key: a, token: c, retry: 1, expire: 1h}',
    '{user_key: a, token: c, retry: -1s}',
  ],
  sns_configs: [
    '{}',
    '{topic_arn: a, phone_number: b, sigv4: {}}',
    '{topic_arn: a, sigv4: {access_key: x}}',
    '{topic_arn: a}',
    '{topic_arn: a, attributes: {a: 1}}',
  ],
  telegram_configs: [
    '{}',
    '{bot_token: a}',
    '{bot_token: a, chat_id: 1, parse_mode: Foo}',
    '{bot_token: a, chat_id: 1, parse_mode: ""}',
    '{bot_token: a, chat_id: 1, parse_mode: html}',
    '{bot_token: a, chat_id: "1"}',
    '{bot_token: a, chat_id: 1.5}',
    '{bot_token: a, chat_id: 0x10}',
    '{bot_token: a, chat_id: 1e3}',
    '{bot_token: a, chat_id: 1_000}',
    '{bot_token: a, chat_id: 010}',
    '{bot_token: a, bot_token_file: f, chat_id: 1}',
    '{bot_token: <secret>, chat_id: 1}',
  ],
  webex_configs: [
    '{}',
    '{room_id: a}',
    '{room_id: a, http_config: {authorization: {credentials: x}}}',
    '{room_id: a, http_config: {basic_auth: {username: x}}}',
  ],
  discord_configs: [
    '{}',
    '{webhook_url: "http://a", webhook_url_file: f}',
    '{webhook_url: "http://a", title: 5}',
  ],
  wechat_configs: [
    '{}',
    '{api_secret: a}',
    '{api_secret: a, corp_id: b, message_type: foo}',
    '{api_secret: a, corp_id: b, message_type: markdown, agent_id: 5}',
  ],
  foo_configs: [''],
}

const routes: readonly string[] = [
  '{}',
  '{receiver: r, match: {a: b}}',
  '{receiver: r, continue: true}',
  '{receiver: r, group_interval: 0s}',
  '{receiver: r, repeat_interval: 0s}',
  '{receiver: r, group_wait: 0s}',
  '{receiver: r, group_interval: -1s}',
  '{receiver: r, group_interval: 5}',
  '{receiver: r, group_interval: 1.5h}',
  '{receiver: r, group_interval: 1m1h}',
  '{receiver: r, repeat_interval: 1y1w1d}',
  '{receiver: r, repeat_interval: 300y}',
  '{receiver: r, group_by: [a, a]}',
  '{receiver: r, group_by: ["...", a]}',
  '{receiver: r, group_by: a}',
  '{receiver: r, group_by: [""]}',
  '{receiver: r, routes: [{match: {a: b}}]}',
  '{receiver: r, routes: [{receiver: x}]}',
  '{receiver: r, routes: [{match_re: {a: "("}}]}',
  '{receiver: r, routes: [{match_re: {a: "(?=x)"}}]}',
  '{receiver: r, routes: [{match: {"a-b": x}}]}',
  '{receiver: r, routes: [{match: {a: 5}}]}',
  '{receiver: r, routes: [{match: {a: null}}]}',
  '{receiver: r, routes: [{matchers: "a=b"}]}',
  '{receiver: r, routes: [{matchers: [""]}]}',
  '{receiver: r, routes: [{matchers: ["{a=b,c=d}"]}]}',
  '{receiver: r, routes: [{matchers: [5]}]}',
  '{receiver: r, routes: [{matchers: ["a=b,c=d"]}]}',
  '{receiver: r, mute_time_intervals: [x]}',
  '{receiver: r, routes: [{mute_time_intervals: [x]}]}',
]

const intervals: readonly string[] = [
  '{}',
  '{times: [{start_time: "10:00", end_time: "09:00"}]}',
  '{times: [{start_time: "10:00"}]}',
  '{times: [{start_time: "10:00", end_time: "10:00"}]}',
  '{times: [{start_time: 10:00, end_time: 11:00}]}',
  '{weekdays: ["Mon"]}',
  '{weekdays: ["friday:monday"]}',
  '{weekdays: [1]}',
  '{days_of_month: ["0"]}',
  '{days_of_month: ["-1:3"]}',
  '{months: ["jan:march"]}',
  '{years: ["2030:2020"]}',
  '{location: Mars}',
  '{location: Local}',
  '{location: ""}',
]

const oneReceiver = 'receivers: [{name: r}]\n'
const configs: readonly string[] = [
  ...Object.entries(elements).flatMap(([type, all]) =>
    all.map((one) => `route: {receiver: r}\nreceivers: [{name: r, ${type}: [${one}]}]\n`),
  ),
  ...routes.map((route) => `route: ${route}\n${oneReceiver}`),
  ...intervals.map((one) => {
    const named = `time_intervals: [{name: x, time_intervals: [${one}]}]\n`
    return `route: {receiver: r}\n${oneReceiver}${named}`
  }),
]

/** Whether Gatehouse accepts a configuration. */
function isAccepted(text: string): boolean {
  try {
    loadAlertsConfig(text)
    return true
  } catch {
    return false
  }
}

describeWith([amtoolBinary], 'an unusual configuration', () => {
  let folder: string
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is accepted or refused as by amtool', async () => {
    const files = configs.map((_, index) => join(folder, `${index}.yml`))
    await Promise.all(files.map((file, index) => writeFile(file, configs[index] ?? '')))
    const { stdout } = await run(pathOf(amtoolBinary), ['check-config', ...files], {})
    const verdicts = [...stdout.matchAll(/^Checking .* {2}(SUCCESS|FAILED)/gm)]
    const theirs = verdicts.map(([, verdict]) => verdict === 'SUCCESS')
    expect(theirs).toHaveLength(configs.length)
    // Both outcomes stand in the output, or it is read wrongly.
    expect(new Set(theirs).size).toBe(2)
    const differing = configs.filter((config, index) => isAccepted(config) !== theirs[index])
    expect(differing).toEqual([])
  })
})
