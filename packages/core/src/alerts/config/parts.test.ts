import { describe, expect, it } from 'vitest'
import { formatConfigProblems } from '../../document/config-problem.ts'
import { isGatehouseError } from '../../errors.ts'
import { labelSetFromObject } from '../alert/label-set.ts'
import { formatMatcher } from '../matcher/matcher.ts'
import { buildRoutingTree, routesFor } from '../routing/routing-tree.ts'
import { type AlertsConfig, loadAlertsConfig } from './config.ts'
import type { AlertsConfigPart } from './parts.ts'

const main = `route:
  receiver: everyone
  group_by: [alertname]
  routes:
  - { receiver: pager, matchers: [severity="critical"], continue: true }
receivers:
- name: everyone
- name: pager
time_intervals: [{ name: nights, time_intervals: [{ times: [{ start_time: 00:00, end_time: 06:00 }] }] }]
`

const part = (team: string, text: string, more: Partial<AlertsConfigPart> = {}) => ({
  text,
  filename: `teams/${team}.yml`,
  matchers: [`team="${team}"`],
  ...more,
})

const storage = part(
  'storage',
  `route:
  receiver: storage
  routes:
  - { receiver: pager, matchers: [disk="full"], mute_time_intervals: [nights, lunch] }
receivers: [{ name: storage, webhook_configs: [{ url: "http://a.example/s3cr3t" }] }]
time_intervals: [{ name: lunch }]
inhibit_rules:
- { source_matchers: [alertname="Down"], target_matchers: [alertname="Slow"], equal: [host] }
templates: [storage.tmpl]
`,
  {
    directory: '/etc/teams',
    templateFiles: [{ name: 'storage.tmpl', text: '{{ define "s" }}{{ end }}' }],
  },
)

const load = (...parts: readonly AlertsConfigPart[]): AlertsConfig =>
  loadAlertsConfig(main, { filename: 'main.yml', parts })

function problemsOf(...parts: readonly AlertsConfigPart[]): readonly string[] {
  try {
    load(...parts)
  } catch (error) {
    if (!isGatehouseError(error)) throw error
    const { filename, problems } = Object(error.info)
    return formatConfigProblems(filename, problems)
  }
  return []
}

const receiversOf = (config: AlertsConfig, labels: Record<string, string>): readonly string[] =>
  routesFor(buildRoutingTree(config.route), labelSetFromObject(labels)).map((one) => one.receiver)

describe('parts of a configuration', () => {
  it("put a team's routes below a route with its matchers, after those of the main file", () => {
    const config = load(storage)
    expect(receiversOf(config, { team: 'storage' })).toEqual(['storage'])
    expect(receiversOf(config, { team: 'storage', disk: 'full', severity: 'critical' })).toEqual([
      'pager',
      'pager',
    ])
    expect(receiversOf(config, { disk: 'full' })).toEqual(['everyone'])
    expect(config.receivers.map(({ name }) => name)).toEqual(['everyone', 'pager', 'storage'])
    expect(config.time_intervals.map(({ name }) => name)).toEqual(['nights', 'lunch'])
    expect([config.templatesOfParts, config.templateFiles.length]).toEqual([
      [['/etc/teams/storage.tmpl']],
      1,
    ])
  })

  it("limit a team's inhibit rules to its alerts, on both sides", () => {
    const [rule] = load(storage).inhibit_rules
    expect(rule?.source_matchers.map(formatMatcher)).toEqual(['alertname="Down"', 'team="storage"'])
    expect(rule?.target_matchers.map(formatMatcher)).toEqual(['alertname="Slow"', 'team="storage"'])
  })

  it('are shown as one configuration, which loads again', () => {
    const config = load(storage)
    expect(config.original + config.source).not.toContain('s3cr3t')
    expect(config.source).toContain('# teams/storage.yml\nroute:\n  receiver: storage\n')
    const again = loadAlertsConfig(config.original)
    expect(receiversOf(again, { team: 'storage' })).toEqual(['storage'])
  })

  it('have their problems in their own files, at their lines', () => {
    const broken = part(
      'db',
      `global: {}
route:
  receiver: storage
  continue: true
  routes:
  - { receiver: nobody, mute_time_intervals: [never] }
receivers:
- name: db
  slack_configs:
  - channel: '#db'
`,
    )
    expect(problemsOf(storage, broken)).toEqual([
      'teams/db.yml:1:1: field global not found in type config.part',
      'teams/db.yml:6:17: undefined receiver "nobody" used in route',
      'teams/db.yml:3:13: undefined receiver "storage" used in route',
      'teams/db.yml:6:46: undefined time interval "never" used in route',
      'teams/db.yml:4:13: cannot have continue in root route',
      'teams/db.yml:10:5: no Slack API URL nor App token set either inline or in a file',
    ])
    expect(problemsOf(part('bad', 'route: ['))).toEqual([
      expect.stringMatching(/^teams\/bad.yml:1:/),
    ])
  })

  it('may not define a name twice, and name both places', () => {
    const other = part(
      'db',
      `receivers: [{ name: pager }, { name: storage }]
mute_time_intervals: [{ name: lunch }]
`,
      {
        templateFiles: [
          {
            name: 'db.tmpl',
            text: '\n{{- define `s` }}{{ end }}{{ define "slack.default.title" }}{{ end }}',
          },
        ],
      },
    )
    expect(problemsOf(storage, other)).toEqual([
      'teams/db.yml:1:13: the receiver "pager" is already defined at main.yml:8:3',
      'teams/db.yml:1:30: the receiver "storage" is already defined at teams/storage.yml:5:13',
      'teams/db.yml:2:23: the time interval "lunch" is already defined at teams/storage.yml:6:18',
      'teams/db.yml:1:1: db.tmpl:2:1: the template "s" is already defined at storage.tmpl:1:1',
      expect.stringMatching(
        /^teams\/db.yml:1:1: db.tmpl:2:27: the template "slack.default.title" is already defined at default.tmpl:/,
      ),
    ])
  })

  it('may not replace a template by a file with its name', () => {
    const files = (...names: readonly string[]) => ({
      templateFiles: names.map((name) => ({ name, text: 'of the team' })),
    })
    expect(problemsOf(part('db', '', files('slack.default.title')))).toEqual([
      expect.stringMatching(
        /^teams\/db.yml:1:1: slack.default.title:1:1: the template "slack.default.title" is already defined at default.tmpl:/,
      ),
    ])
    expect(problemsOf(part('db', '', files('a')), part('web', '', files('a')))).toEqual([
      'teams/web.yml:1:1: a:1:1: the template "a" is already defined at a:1:1',
    ])
    const onlyDefinitions = (name: string) => ({
      templateFiles: [{ name: 'team.tmpl', text: `{{ define "${name}" }}{{ end }}\n` }],
    })
    expect(
      problemsOf(part('db', '', onlyDefinitions('a')), part('web', '', onlyDefinitions('b'))),
    ).toEqual([])
  })

  it('cannot reach the alerts of others by matchers, continue, old matchers or empty rules', () => {
    const config = load(
      part(
        'db',
        `route:
  receiver: db
  match_re: { team: '.*' }
  matchers: ['team=~".*"']
  routes:
  - { receiver: db, matchers: ['team=~".*"'], continue: true }
  - { receiver: pager, match: { team: web } }
receivers: [{ name: db }]
inhibit_rules:
- null
- {}
- { source_match: { team: web }, target_match_re: { team: '.*' } }
- { source_matchers: ['team=~".*"'], target_matchers: ['team!="db"'], equal: [team] }
`,
      ),
    )
    expect(receiversOf(config, { team: 'web' })).toEqual(['everyone'])
    expect(receiversOf(config, {})).toEqual(['everyone'])
    expect(receiversOf(config, { team: 'db' })).toEqual(['db'])
    for (const { source_matchers, target_matchers } of config.inhibit_rules) {
      for (const matchers of [source_matchers, target_matchers]) {
        expect(matchers.map(formatMatcher)).toContain('team="db"')
      }
    }
  })
})
