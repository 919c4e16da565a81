/** Letters, digits and characters that each encoding writes differently. */
export const secret: string = 's3cr3t"&<%+é {'

/** A configuration with an integration of every type, all sending to `host` (with its port); all secrets contain `s3cr3t`. */
export const everyType = (host: string): string => {
  const url = `http://user:s3cr3t@${host}`
  const plain = `http://${host}`
  return JSON.stringify({
    route: { receiver: 'all', group_by: ['alertname'] },
    receivers: [
      {
        name: 'all',
        webhook_configs: [
          { url: `${url}/w?x=1`, http_config: { basic_auth: { username: 'u', password: secret } } },
          { url: `${plain}/s3cr3t/{{ .Status }}`, http_config: httpConfig },
          { url_file: '/secrets/url' },
        ],
        email_configs: [
          {
            to: 'a@example.org, B <b@example.org>',
            from: 'am@example.org',
            smarthost: host,
            auth_username: 'u',
            auth_password: secret,
            headers: { 'X-Foo': '{{ .Status }}' },
            text: 'plain {{ .CommonLabels.alertname }}',
            send_resolved: true,
          },
        ],
        pagerduty_configs: [
          { routing_key: secret, url: `${plain}/pd` },
          { service_key: secret },
          { routing_key: '{{ .GroupLabels.alertname }}s3cr3t', url: `${plain}/pd` },
        ],
        opsgenie_configs: [{ api_key: secret, api_url: url, update_alerts: true }],
        wechat_configs: [{ api_secret: secret, corp_id: 'corp', api_url: plain }],
        slack_configs: [
          { api_url: `${plain}/s3cr3t`, channel: '#c' },
          { app_token: secret, app_url: plain, channel: '#c' },
        ],
        victorops_configs: [{ api_key: secret, api_url: plain, routing_key: 'team' }],
        pushover_configs: [{ token: secret, user_key: secret }],
        sns_configs: [
          {
            api_url: plain,
            topic_arn: 'arn',
            sigv4: { region: 'r', access_key: 'AK', secret_key: secret },
          },
          { topic_arn: 'arn' },
        ],
        telegram_configs: [
          { bot_token: secret, chat_id_file: '/secrets/number', api_url: plain, parse_mode: '' },
        ],
        discord_configs: [{ webhook_url: `${plain}/s3cr3t` }],
        webex_configs: [
          {
            api_url: plain,
            room_id: 'room',
            http_config: { authorization: { credentials: secret } },
          },
        ],
        msteams_configs: [{ webhook_url: `${plain}/s3cr3t` }],
        msteamsv2_configs: [{ webhook_url_file: '/secrets/url' }],
        jira_configs: [
          {
            api_url: url,
            project: 'P',
            issue_type: 'Bug',
            http_config: { basic_auth: { username: 'u', password: secret } },
          },
        ],
        incidentio_configs: [{ url: `${plain}/i`, alert_source_token: secret }],
        rocketchat_configs: [{ token: secret, token_id: secret, api_url: plain }],
        mattermost_configs: [{ webhook_url: `${plain}/s3cr3t` }],
      },
    ],
  })
}

const httpConfig = {
  http_headers: {
    'X-Plain': { values: ['shown'] },
    'X-Token': { secrets: [secret], files: ['/secrets/text'] },
  },
}

const files: Readonly<Record<string, string>> = {
  '/secrets/url': 'http://host.test/s3cr3t\n',
  '/secrets/number': '-1003311773\n',
  '/secrets/text': 's3cr3t\n',
}

/** The content of the files that the configuration names. */
export const readFile = async (path: string): Promise<string> => {
  const text = files[path]
  if (text === undefined) throw new Error(`no such file: ${path}`)
  return text
}
