import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../../test-support/cpu-time.ts'
import { runsOf } from '../../../../../test-support/lane.ts'
import { type ConfigProblem, formatConfigProblems } from '../../document/config-problem.ts'
import { isGatehouseError } from '../../errors.ts'
import { type AlertsConfigOptions, checkAlertsConfig, loadAlertsConfig } from './config.ts'

const vectors = new URL('../../../vectors/alerts/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, vectors), 'utf8')

/** The error of a text; `undefined` if it is accepted. */
function refusal(
  text: string,
  options: AlertsConfigOptions = {},
): { message: string; problems: readonly ConfigProblem[] } | undefined {
  try {
    loadAlertsConfig(text, options)
    return undefined
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    expect([error.kind, error.reason]).toEqual(['Invalid', 'InvalidConfig'])
    const problems = error.info.problems as readonly ConfigProblem[]
    return { message: error.message, problems }
  }
}

const minimal = 'route: { receiver: r }\nreceivers: [ { name: r } ]\n'
const withReceiver = (lists: string): string =>
  `route: { receiver: r }\nreceivers: [ { name: r, ${lists} } ]\n`

interface CheckCase {
  readonly name: string
  readonly config: string
  readonly ok: boolean
  readonly error: string | null
  readonly follow?: { readonly ok?: boolean; readonly error?: string }
}

describe('recorded configurations', () => {
  const { cases }: { cases: readonly CheckCase[] } = JSON.parse(read('config-check.json'))
  it.each(cases)('$name', ({ config, ok, error, follow }) => {
    const isAccepted = follow?.ok ?? (follow === undefined && ok)
    const expected = isAccepted ? undefined : (follow?.error ?? error)
    expect(refusal(config)?.message).toBe(expected)
  })

  const recorded: { cases: readonly CheckCase[] } = JSON.parse(read('config-errors.json'))
  it.each(recorded.cases)('$config', ({ config, error }) => {
    expect(refusal(config)?.message).toBe(error)
  })

  it.each(['base.yml', 'dispatch-1.yml', 'dispatch-2.yml'])('%s is accepted', (name) => {
    expect(refusal(read(name).replaceAll('{hook}', 'http://127.0.0.1:1'))).toBeUndefined()
  })
})

interface OriginalCase {
  readonly name: string
  readonly config: string
  readonly directory?: string
  readonly original: string
  readonly follow?: { readonly replace: readonly (readonly [string, string])[] }
}

describe('original', () => {
  it('has the same text as in Alertmanager for the base configuration', () => {
    const [status] = JSON.parse(read('status-receivers.json'))
    expect(loadAlertsConfig(read('base.yml')).original).toBe(status.response.body.config.original)
  })

  const { cases }: { cases: readonly OriginalCase[] } = JSON.parse(read('config-original.json'))
  it.each(cases)('$name', ({ config, directory, original, follow }) => {
    const replaced = (follow?.replace ?? []).reduce(
      (text, [from, to]) => text.replaceAll(from, to),
      original,
    )
    const options = directory === undefined ? {} : { directory }
    expect(loadAlertsConfig(config, options).original).toBe(replaced)
  })

  it.each(cases)('can be loaded again to a stable text: $name', ({ config, directory }) => {
    const options = directory === undefined ? {} : { directory }
    const write = (text: string): string => loadAlertsConfig(text, options).original
    // The first text omits empty values, so the second may have their defaults.
    const second = write(write(config))
    expect(write(second)).toBe(second)
  })

  it('has keys unknown to older versions only if they are configured', () => {
    const text = withReceiver(`
      slack_configs: [ { app_token: t, update_message: true, timeout: 5s } ],
      pushover_configs: [ { user_key: u, token: t, ttl: 90s, monospace: true } ],
      webhook_configs: [ { url: 'http://x/{{ .Status }}', payload: { n: 1, on: [ yes, 'yes', ~, { a: '{{ .Status }}' } ] } } ],
      email_configs: [ { to: a, from: b, smarthost: 'h:25', threading: { enabled: true, thread_by_date: none } } ],
      jira_configs: [ { api_url: 'http://j/', project: P, issue_type: T, reopen_duration: 1d, description: { template: d, enable_update: false } } ],
      mattermost_configs: [ { webhook_url: 'http://m/', type: custom } ]`)
    const { original } = loadAlertsConfig(text)
    expect(original).toContain('    app_token: <secret>\n    app_url: https://slack.com/')
    expect(original).toContain('    update_message: true\n    timeout: 5s\n')
    expect(original).toContain('    html: false\n    monospace: true\n')
    expect(original).toContain('    ttl: 1m30s\n')
    expect(original).toContain('    url: <secret>\n    max_alerts: 0\n    payload:\n')
    expect(original).toContain(
      '      "n": 1\n      "on":\n      - true\n      - "yes"\n      - null\n',
    )
    expect(original).toContain('    threading:\n      enabled: true\n      thread_by_date: none\n')
    expect(original).toContain('    description:\n      template: d\n      enable_update: false\n')
    expect(original).toContain('    reopen_duration: 1d\n')
    expect(original).toContain('    type: custom\n')
    expect(loadAlertsConfig(original).original).toBe(original)
  })
})

describe('rate_limit', () => {
  const written = (limit: string): string => `route:
  receiver: r
  rate_limit: ${limit}
receivers:
- name: r
  rate_limit: ${limit}
`
  it('of routes and receivers is read, and printed', () => {
    const config = loadAlertsConfig(written('{ notifications: 5, per: 90m }'))
    const limit = { notifications: 5, per: 5_400_000 }
    expect([config.route.rate_limit, config.receivers[0]?.rate_limit]).toEqual([limit, limit])
    expect(config.original).toContain('  rate_limit:\n    notifications: 5\n    per: 1h30m\n')
    expect(config.original.match(/rate_limit/g)).toHaveLength(2)
  })

  it.each([
    ['{ notifications: 0, per: 1h }', 'notifications must be at least 1'],
    ['{ notifications: 20000, per: 1h }', 'notifications must be at most 10000'],
    ['{ notifications: 5, per: 0s }', 'per must be greater than zero'],
    ['{ notifications: 5 }', 'per must be greater than zero'],
    ['{ notifications: 5, every: 1h }', 'field every not found in type config.RateLimit'],
    ['20', 'cannot unmarshal'],
  ])('%s is refused where it stands', (limit, message) => {
    const { problems = [] } = refusal(written(limit)) ?? {}
    expect(problems.map(({ line }) => line)).toEqual([3, 6])
    for (const problem of problems) expect(problem.message).toContain(message)
  })
})

describe('problems', () => {
  const broken = [
    'global:',
    '  bogus: 1',
    '  resolve_timeout: 5x',
    'route:',
    '  receiver: nope',
    '  continue: 1',
    '  routes:',
    '  - { receiver: r, matchers: [ a ] }',
    '  - { receiver: missing, mute_time_intervals: [ never ] }',
    'receivers:',
    '- name: r',
    '  webhook_configs:',
    '  - url: ftp://x/',
    "    url_file: ''",
    '  - {}',
  ].join('\n')

  it("are all reported with path, line and column, Alertmanager's first one first", () => {
    const { message, problems } = refusal(broken) ?? { message: '', problems: [] }
    expect(message).toBe('not a valid duration string: "5x"')
    expect(problems.map(({ path, line, column }) => `${path} ${line}:${column}`)).toEqual([
      'global.resolve_timeout 3:20',
      'route.routes[0].matchers[0] 8:32',
      'receivers[0].webhook_configs[0].url 13:10',
      'receivers[0].webhook_configs[1] 15:5',
      'global.bogus 2:3',
      'route.continue 6:13',
      'route.routes[1].receiver 9:17',
      'route.receiver 5:13',
      'route.routes[1].mute_time_intervals 9:47',
    ])
  })

  it('are one line each for people', () => {
    const lines = formatConfigProblems('am.yml', refusal(broken)?.problems ?? [])
    expect(lines[0]).toBe('am.yml:3:20: not a valid duration string: "5x"')
    expect(lines[4]).toBe('am.yml:2:3: field bogus not found in type config.plain')
    expect(lines).toHaveLength(9)
  })

  it('of the structure are in one message if there are no others', () => {
    const text = `${minimal}bogus: 1\nroute: {}\ntemplates: x\n`
    expect(refusal(text)?.message).toBe(
      'yaml: unmarshal errors:\n  line 3: field bogus not found in type config.plain\n' +
        '  line 4: field route already set in type config.plain\n' +
        '  line 5: cannot unmarshal !!str `x` into []string',
    )
  })

  it('of one block cause none in others', () => {
    const text = `global: { smtp_smarthost: h }\n${withReceiver('email_configs: [ { to: a } ]')}`
    expect(refusal(text)?.problems.map(({ path }) => path)).toEqual(['global.smtp_smarthost'])
    expect(refusal('route: { receiver: r }\nreceivers: 5\n')?.problems).toHaveLength(1)
  })
})

describe('rules that are stricter or newer than in Alertmanager', () => {
  const refusals: readonly (readonly [string, string])[] = [
    [
      'sns_configs: [ { topic_arn: a, target_arn: b, phone_number: c } ]',
      'must provide either a Target ARN, Topic ARN, or Phone Number for SNS config',
    ],
    [
      'slack_configs: [ { api_url: "http://x/", fields: [ null ] } ]',
      'missing Slack field configuration',
    ],
    [
      'slack_configs: [ { api_url: "http://x/", app_token: t } ]',
      'at most one of app_token/app_token_file & api_url/api_url_file must be configured',
    ],
    ['webhook_configs: [ { url: "http://x/{{ .Status" } ]', 'template: :1: unclosed action'],
    [
      'webhook_configs: [ { url: "http://x/", url_file: f } ]',
      'at most one of url & url_file must be configured',
    ],
    [
      'webhook_configs: [ { url: "http://x/", timeout: 1d } ]',
      'time: unknown unit "d" in duration "1d"',
    ],
    [
      'telegram_configs: [ { chat_id: 1 } ]',
      'missing bot_token or bot_token_file on telegram_config',
    ],
    ['jira_configs: [ { project: p, issue_type: i } ]', 'no global Jira Cloud URL set'],
    ['rocketchat_configs: [ {} ]', 'no global Rocketchat TokenID set either inline or in a file'],
    ['mattermost_configs: [ {} ]', 'missing webhook_url or webhook_url_file on mattermost_config'],
    [
      'incidentio_configs: [ { url: "http://x/", http_config: {} } ]',
      'at least one of alert_source_token, alert_source_token_file or http_config.authorization must be configured',
    ],
    [
      'pushover_configs: [ { user_key: u, token: t, html: true, monospace: true } ]',
      'at most one of monospace & html must be configured',
    ],
    [
      'mattermost_configs: [ { webhook_url: "http://x/", fields: [ { value: v } ] } ]',
      'missing title in Mattermost field configuration',
    ],
    [
      'mattermost_configs: [ { webhook_url: "http://x/", attachments: [ { fields: [ { title: t } ] } ] } ]',
      'missing value in Mattermost field configuration',
    ],
    ['labels: { name: q }', 'receiver label "name" must match receiver name "r", got "q"'],
    [
      'webhook_configs: [ { url: "http://x/", http_config: { http_headers: { host: { values: [ x ] } } } } ]',
      'setting header "Host" is not allowed',
    ],
    [
      'webhook_configs: [ { url: "http://x/", http_config: { no_proxy: x } } ]',
      'if no_proxy is configured, proxy_url must also be configured',
    ],
  ]
  it.each(refusals)('%s', (lists, message) => {
    expect(refusal(withReceiver(lists))?.message).toBe(message)
  })

  it('label names in lists are UTF-8, or classic on demand', () => {
    const text = 'route: { receiver: r, group_by: [ a-b ] }\nreceivers: [ { name: r } ]\n'
    expect(refusal(text)).toBeUndefined()
    const message = 'invalid label name "a-b" in group_by list'
    expect(refusal(text, { classicLabelNames: true })?.message).toBe(message)
    expect(refusal(text, { matcherMode: 'classic' })?.message).toBe(message)
  })

  it('a Slack token and the URL of the app belong together in global', () => {
    const app = 'https://slack.com/api/chat.postMessage'
    const global = (url: string): string =>
      `global: { slack_app_token: t, slack_api_url: '${url}' }\n`
    expect(refusal(global(app) + minimal)).toBeUndefined()
    expect(refusal(global('http://x/') + minimal)?.message).toBe(
      'at most one of slack_app_token/slack_app_token_file & slack_api_url/slack_api_url_file must be configured',
    )
  })
})

describe('a receiver is accepted as in Alertmanager', () => {
  it.each([
    'email_configs: [ { to: a, from: b, smarthost: "h:25", auth_password: p, auth_password_file: f } ]',
    'email_configs: [ { to: a, from: b, smarthost: "h:25", auth_secret: s, auth_secret_file: f } ]',
    'incidentio_configs: [ { url: "http://x/" } ]',
    'rocketchat_configs: [ { token: t, token_id: i, actions: [ { msg: m, imageurl: u, iswebview: true, webviewheightratio: full, msginchatwindow: true, msgprocessingtype: sendMessage } ] } ]',
    'pagerduty_configs: [ { routing_key: a, service_key: b } ]',
  ])('%s', (lists) => {
    expect(refusal(withReceiver(lists))).toBeUndefined()
  })
})

describe('a list among the values of labels', () => {
  it.each([
    ['match', 'mute_time_intervals'],
    ['match_re', 'routes'],
  ])('of %s gets a hint', (key, name) => {
    const route = `{ receiver: r, routes: [ { ${key}: { a: b, ${name}: [ c ] } } ] }`
    expect(refusal(`route: ${route}\nreceivers: [ { name: r } ]\n`)?.message).toBe(
      `yaml: unmarshal errors:\n  line 1: cannot unmarshal !!seq into string; did you mean ${name} one level up?`,
    )
  })
})

describe('the threads of emails', () => {
  const withThreading = (threading: string, headers = '{}'): string =>
    withReceiver(
      `email_configs: [ { to: a, from: b, smarthost: 'h:25', headers: ${headers}, threading: ${threading} } ]`,
    )

  it.each(['References', 'references', 'IN-REPLY-TO'])('conflict with the header %s', (name) => {
    const text = withThreading('{ enabled: true, thread_by_date: none }', `{ ${name}: <x@y> }`)
    const canonical = name.toLowerCase() === 'references' ? 'References' : 'In-Reply-To'
    expect(refusal(text)?.message).toBe(
      `conflicting configuration: threading.enabled conflicts with custom ${canonical} header`,
    )
    expect(refusal(withThreading('{ enabled: false }', `{ ${name}: <x@y> }`))).toBeUndefined()
  })

  it.each(['{ enabled: true }', '{ enabled: true, thread_by_date: weekly }'])(
    'need to know when a new one starts: %s',
    (threading) => {
      expect(refusal(withThreading(threading))?.message).toBe(
        "threading.thread_by_date must be either 'none' or 'daily'",
      )
    },
  )

  it.each([
    ['{ enabled: false, thread_by_date: x }', '    threading:\n      thread_by_date: x\n'],
    ['{ thread_by_date: daily }', '    threading:\n      thread_by_date: daily\n'],
    ['', ''],
    ['{ enabled: false }', ''],
  ])('may be configured while they are off: %s', (threading, printed) => {
    const { original } = loadAlertsConfig(withThreading(threading))
    expect(original.includes('threading')).toBe(printed !== '')
    expect(original).toContain(printed)
    expect(loadAlertsConfig(original).original).toBe(original)
  })
})

describe('a loaded configuration', () => {
  it('has durations in ms, matchers merged and sorted, and no inherited values in routes', () => {
    const { route, global } = loadAlertsConfig(`
route:
  receiver: r
  routes:
  - { match: { b: x }, match_re: { a: 'x|y' }, matchers: [ 'c!="z"' ], group_wait: 1m, group_by: [], continue: yes, labels: { team: a } }
receivers: [ { name: r } ]`)
    expect(global.resolve_timeout).toBe(300_000)
    const [child] = route.routes
    expect(child?.matchers.map(({ name, operator }) => name + operator)).toEqual([
      'a=~',
      'b=',
      'c!=',
    ])
    expect(child).toMatchObject({ group_wait: 60_000, group_by: [], continue: true })
    expect(child?.labels).toEqual(new Map([['team', 'a']]))
    expect(child?.receiver).toBeUndefined()
    expect(route.group_by).toBeUndefined()
  })

  it('has integrations in the order of notification, each with the index in its list', () => {
    const { receivers } = loadAlertsConfig(
      withReceiver(
        `slack_configs: [ { api_url: 'http://s/' } ], labels: { team: a }, webhook_configs: [ { url: 'http://x/' }, { url: 'http://y/' } ]`,
      ),
    )
    expect(receivers[0]?.labels).toEqual(
      new Map([
        ['name', 'r'],
        ['team', 'a'],
      ]),
    )
    expect(receivers[0]?.integrations.map(({ type, index }) => `${type} ${index}`)).toEqual([
      'webhook 0',
      'webhook 1',
      'slack 0',
    ])
  })

  it('lets integrations inherit missing settings', () => {
    const { receivers } = loadAlertsConfig(`
global: { smtp_smarthost: 'h:25', smtp_from: f, smtp_auth_password: p, opsgenie_api_url: http://og, opsgenie_api_key_file: k, http_config: { proxy_url: 'http://p/' } }
${withReceiver(`email_configs: [ { to: t, smarthost: 'own:26' } ], opsgenie_configs: [ {} ],
  msteamsv2_configs: [ { webhook_url: 'http://m/', http_config: { follow_redirects: false } } ], webhook_configs: [ { url: 'http://w/', http_config: {} } ]`)}`)
    const [webhook, email, opsgenie, teams] = receivers[0]?.integrations ?? []
    expect(webhook?.http_config.proxy_url).toBeUndefined()
    expect(email).toMatchObject({
      type: 'email',
      from: 'f',
      smarthost: { host: 'own', port: '26' },
    })
    expect(email?.type === 'email' && email.auth_password?.reveal()).toBe('p')
    expect(opsgenie).toMatchObject({ type: 'opsgenie', api_key_file: 'k' })
    expect(opsgenie?.type === 'opsgenie' && opsgenie.api_url?.reveal()).toBe('http://og/')
    expect(teams?.http_config.proxy_url?.reveal()).toBe('http://p/')
    expect(teams?.http_config.follow_redirects).toBe(false)
  })

  it('resolves files of http_config and templates against the directory, and no others', () => {
    const text = `${withReceiver(
      'webhook_configs: [ { url_file: u, http_config: { bearer_token_file: b, tls_config: { ca_file: ../ca } } } ]',
    )}templates: [ 'x/*.tmpl', '/y' ]\n`
    const { receivers, templates } = loadAlertsConfig(text, { directory: '/etc/am' })
    expect(templates).toEqual(['/etc/am/x/*.tmpl', '/y'])
    const [webhook] = receivers[0]?.integrations ?? []
    expect(webhook).toMatchObject({ url_file: 'u' })
    expect(webhook?.http_config.authorization?.credentials_file).toBe('/etc/am/b')
    expect(webhook?.http_config.tls_config?.ca_file).toBe('/etc/ca')
  })

  it('is counted in a summary', () => {
    expect(checkAlertsConfig(read('base.yml'))).toEqual({
      inhibitRules: 2,
      receivers: 5,
      templates: 0,
    })
  })
})

describe('secrets', () => {
  const secretTexts = [
    's3cret-a',
    's3cret-b',
    's3cret-c',
    's3cret-d',
    's3cret-e',
    's3cret-f',
    's3cret-g',
  ]
  const text = `# the mail relay
global:
  smtp_auth_password: "s3cret-a" # keep
  slack_api_url: 'http://s3cret-b/x'
  opsgenie_api_key: >-
    s3cret-c
    and more
  victorops_api_key: &key s3cret-d
  http_config: { basic_auth: { username: u, password: 's3cret-e' }, proxy_url: "http://u:s3cret-f@p/" }
route: { receiver: r }
receivers:
- name: r
  pushover_configs: [ { user_key: *key, token: !!str s3cret-g, title: s } ]
`
  const config = loadAlertsConfig(text)

  it('are in no text of the configuration, however it is shown', () => {
    for (const shown of [
      JSON.stringify(config),
      inspect(config, { depth: 20, showHidden: true }),
      config.original,
      config.source,
      `${config.global.smtp_auth_password}`,
    ]) {
      for (const secretText of secretTexts) expect(shown).not.toContain(secretText)
    }
  })

  it('are replaced in the source, which keeps comments and layout and can be loaded again', () => {
    expect(config.source).toBe(`# the mail relay
global:
  smtp_auth_password: <secret> # keep
  slack_api_url: <secret>
  opsgenie_api_key: <secret>
  victorops_api_key: &key <secret>
  http_config: { basic_auth: { username: u, password: <secret> }, proxy_url: "http://u:xxxxx@p/" }
route: { receiver: r }
receivers:
- name: r
  pushover_configs: [ { user_key: *key, token: !!str <secret>, title: s } ]
`)
    expect(refusal(config.source)).toBeUndefined()
  })

  it('are available on request', () => {
    expect(config.global.opsgenie_api_key?.reveal()).toBe('s3cret-c and more')
    expect(config.global.http_config?.proxy_url?.reveal()).toBe('http://u:s3cret-f@p/')
  })

  it('are not in the error about their own value', () => {
    const refused = refusal(withReceiver("slack_configs: [ { api_url: 'http://a b/s3cret' } ]"))
    expect(refused?.message).toBe('parse "<secret>": invalid character " " in host name')
  })

  it('are not in the error about a configuration', () => {
    const refused = refusal(text.replace('title: s', 'titel: s'))
    for (const secretText of secretTexts) {
      expect(JSON.stringify(refused)).not.toContain(secretText)
    }
  })
})

describe('hostile configurations', () => {
  it('nested routes are limited', () => {
    const nest = (levels: number): string =>
      `${'{ routes: [ '.repeat(levels)}{}${' ] }'.repeat(levels)}`
    const tree = (levels: number): string =>
      `route: { receiver: r, routes: [ ${nest(levels - 1)} ] }\nreceivers: [ { name: r } ]\n`
    expect(refusal(tree(100))).toBeUndefined()
    expect(refusal(tree(101))?.message).toBe('routes are nested deeper than 100 levels')
    expect(refusal(tree(5000))?.message).toBe('yaml: document is nested deeper than 256 levels')
  })

  it('names of object properties are ordinary names', () => {
    const names = '{ __proto__: a, constructor: b, toString: c }'
    const text = `route: { receiver: r, routes: [ { match: ${names}, group_by: [ __proto__ ] } ] }
receivers: [ { name: r, labels: ${names} }, { name: __proto__ } ]\n`
    const { route, receivers } = loadAlertsConfig(text)
    expect(route.routes[0]?.matchers.map(({ name }) => name)).toContain('__proto__')
    expect(receivers[0]?.labels.get('__proto__')).toBe('a')
    const message =
      'yaml: unmarshal errors:\n  line 3: field __proto__ not found in type config.plain'
    expect(refusal(`${minimal}__proto__: { a: b }\n`)?.message).toBe(message)
    const twice = `route: { receiver: r, routes: [ { match: { __proto__: a, __proto__: b } } ] }\n`
    expect(refusal(twice)?.message).toContain('key "__proto__" already set in map')
  })

  it('a receiver that very many routes use is checked in linear time', () => {
    const routes = Array.from(
      { length: 5_000 },
      (_, i) => `  - { receiver: r, matchers: [ 'a="${i}"' ] }\n`,
    )
    const text = `route:\n  receiver: r\n  routes:\n${routes.join('')}receivers: [ { name: r } ]\n`
    const start = cpuMs()
    expect(loadAlertsConfig(text).route.routes).toHaveLength(5_000)
    expect(cpuMs() - start).toBeLessThan(8_000)
  })

  it('any text is loaded or refused as a configuration', () => {
    const lines = read('base.yml').split('\n')
    const line = fc.oneof(fc.constantFrom(...lines), fc.string({ unit: 'binary', maxLength: 20 }))
    const token = fc.constantFrom(
      '- ',
      ': ',
      '{',
      '}',
      '[',
      ']',
      '&a ',
      '*a',
      '<<: *a',
      '!!int ',
      '"',
      "'",
      '|\n',
      '\t',
      '\0',
      '#',
      '\n  ',
      'yes',
      '~',
      '__proto__',
    )
    const any = fc.array(fc.oneof(line, token), { maxLength: 40 }).map((parts) => parts.join('\n'))
    const mutated = fc
      .tuple(
        fc.nat(read('base.yml').length),
        fc.nat(30),
        fc.oneof(token, fc.string({ unit: 'binary' })),
      )
      .map(([at, length, insert]) => {
        const text = read('base.yml')
        return text.slice(0, at) + insert + text.slice(at + length)
      })
    fc.assert(
      fc.property(fc.oneof(any, mutated), (text) => {
        const refused = refusal(text)
        if (refused !== undefined) expect(refused.problems.length).toBeGreaterThan(0)
      }),
      { numRuns: runsOf(60) },
    )
  })
})
