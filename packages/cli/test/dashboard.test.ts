import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import {
  describeWith,
  pathOf,
  prometheusBinary,
  promtoolBinary,
} from '../../../test-support/binaries.ts'
import { freePort } from '../../../test-support/free-port.mjs'
import { type Serving, serveCli } from '../src/main.fixture.ts'
import { until } from './support/poll.ts'
import { type Server, serverOf, temporaryFolder, whenReady } from './support/server.ts'

const deployed = (name: string): string =>
  fileURLToPath(new URL(`../deploy/${name}`, import.meta.url))
const rulesFile = deployed('gatehouse-rules.yml')

interface Panel {
  readonly id: number
  readonly title: string
  readonly type: string
  readonly gridPos: {
    readonly x: number
    readonly y: number
    readonly w: number
    readonly h: number
  }
  readonly targets?: readonly { readonly expr: string }[]
}

interface Rule {
  readonly record?: string
  readonly alert?: string
  readonly expr: string
}

const dashboard: { readonly panels: readonly Panel[]; readonly templating: object } = JSON.parse(
  readFileSync(deployed('gatehouse-dashboard.json'), 'utf8'),
)
const {
  groups,
}: { groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[] } = parse(
  readFileSync(rulesFile, 'utf8'),
)
const rules = groups.flatMap((group) => group.rules)

/** The expressions of all panels, with the variables of Grafana replaced as it does. */
const panelExpressions = dashboard.panels.flatMap(({ targets = [] }) =>
  targets.map(({ expr }) =>
    expr.replaceAll('$__rate_interval', '1m').replaceAll(/\$(job|instance)\b/g, '.*'),
  ),
)

/** The names of the metrics in a text, without those that rules record. */
const metricsIn = (text: string): string[] => [
  ...new Set(text.match(/\b(?:alertmanager|gatehouse|process)_\w+/g)),
]

const apiConfig = {
  listen: '127.0.0.1:0',
  storage: { memory: true },
  metrics: true,
  alerts: {
    config: { route: { receiver: 'team' }, receivers: [{ name: 'team' }] },
    cluster: {},
  },
  auth: {
    key_file: 'auth.key',
    dev: { print_codes: true },
    config: { id: 'test' },
  },
  webhooks: [{ id: 'job', token: 'token-of-the-test', execute_command: 'true', workdir: '/' }],
}

describe('the dashboard', () => {
  it('has panels with unique ids that do not overlap', () => {
    const { panels } = dashboard
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
  })
})

describeWith([promtoolBinary], 'the rules for Prometheus, by promtool', () => {
  it('are valid', () => {
    const printed = execFileSync(pathOf(promtoolBinary), ['check', 'rules', rulesFile])
    expect(printed.toString()).toContain(`SUCCESS: ${rules.length} rules found`)
  })

  it('fire when notifications fail, servers differ, or the storage does not work', async () => {
    const folder = await temporaryFolder()
    const series = (name: string, labels: string, values: string) => ({
      series: `${name}{job="gatehouse",${labels}}`,
      values,
    })
    const test = {
      rule_files: [rulesFile],
      tests: [
        {
          interval: '1m',
          input_series: [
            series('alertmanager_notifications_total', 'integration="email"', '0+10x40'),
            series(
              'alertmanager_notifications_failed_total',
              'integration="email",reason="other"',
              '0+5x40',
            ),
            series('alertmanager_notifications_total', 'integration="slack"', '0+10x40'),
            series(
              'alertmanager_notifications_failed_total',
              'integration="slack",reason="other"',
              '0x40',
            ),
            series('alertmanager_config_hash', 'instance="a"', '1x40'),
            series('alertmanager_config_hash', 'instance="b"', '2x40'),
            series('gatehouse_storage_writable', 'instance="a"', '1x20 0x20'),
          ],
          alert_rule_test: [
            {
              eval_time: '15m',
              alertname: 'GatehouseNotificationsFail',
              exp_alerts: [
                {
                  exp_labels: { job: 'gatehouse', integration: 'email', severity: 'critical' },
                  exp_annotations: { summary: '50% of the notifications by email fail.' },
                },
              ],
            },
            {
              eval_time: '30m',
              alertname: 'GatehouseConfigsDiffer',
              exp_alerts: [
                {
                  exp_labels: { job: 'gatehouse', severity: 'warning' },
                  exp_annotations: {
                    summary: 'Servers of gatehouse run different configurations.',
                  },
                },
              ],
            },
            { eval_time: '15m', alertname: 'GatehouseStorageNotWritable', exp_alerts: [] },
            {
              eval_time: '30m',
              alertname: 'GatehouseStorageNotWritable',
              exp_alerts: [
                {
                  exp_labels: { job: 'gatehouse', instance: 'a', severity: 'critical' },
                  exp_annotations: {
                    summary: 'The storage of a does not work.',
                    description:
                      'Requests that change something get 503. Notifications continue from memory.',
                  },
                },
              ],
            },
          ],
        },
      ],
    }
    await writeFile(join(folder, 'test.yml'), stringify(test))
    const printed = execFileSync(pathOf(promtoolBinary), [
      'test',
      'rules',
      join(folder, 'test.yml'),
    ])
    expect(printed.toString()).toContain('SUCCESS')
    await rm(folder, { recursive: true })
  })
})

describeWith([prometheusBinary], 'a real Prometheus that scrapes Gatehouse', () => {
  let folder: string
  let gatehouse: Serving
  let prometheus: Server

  beforeAll(async () => {
    folder = await temporaryFolder()
    await writeFile(join(folder, 'gatehouse.json'), JSON.stringify(apiConfig), { mode: 0o600 })
    const key = 'the key of these tests, which is long enough'
    await writeFile(join(folder, 'auth.key'), key, { mode: 0o600 })
    gatehouse = await serveCli(['api', '--config', 'gatehouse.json'], folder)
    await writeFile(
      join(folder, 'prometheus.yml'),
      stringify({
        global: { evaluation_interval: '250ms' },
        rule_files: [rulesFile],
        scrape_configs: [
          {
            job_name: 'gatehouse',
            scrape_interval: '1s',
            scrape_timeout: '1s',
            static_configs: [{ targets: [new URL(gatehouse.url).host] }],
          },
        ],
      }),
    )
    const port = await freePort()
    const child = spawn(
      pathOf(prometheusBinary),
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    prometheus = serverOf(child, `http://127.0.0.1:${port}`, port, async () => undefined)
    await whenReady(prometheus)
  })
  afterAll(async () => {
    await prometheus?.stop()
    gatehouse?.signal('SIGKILL')
    await gatehouse?.ended
    await rm(folder, { recursive: true, force: true })
  })

  /** An answer of Prometheus. */
  async function ask<T>(path: string): Promise<T> {
    const response = await fetch(`${prometheus.url}/api/v1/${path}`)
    const answer: { status: string; error?: string; data: T } = JSON.parse(await response.text())
    if (answer.status !== 'success') throw new Error(`${path}: ${answer.error}`)
    return answer.data
  }

  const query = (expression: string) =>
    ask<{ result: unknown[] }>(`query?query=${encodeURIComponent(expression)}`)

  it('evaluates every rule, and nothing is wrong with a server that does nothing', async () => {
    interface Evaluated {
      readonly name: string
      readonly health: string
      readonly state?: string
    }
    const evaluated = await until('all rules are evaluated after a scrape', async () => {
      if ((await query('up{job="gatehouse"} == 1')).result.length === 0) return undefined
      const { groups: found } = await ask<{ groups: { rules: Evaluated[] }[] }>('rules')
      const all = found.flatMap((group) => group.rules)
      return all.some(({ health }) => health === 'unknown') ? undefined : all
    })
    expect(evaluated).toHaveLength(rules.length)
    const unwell = evaluated.filter(({ health, state }) => health !== 'ok' || state === 'firing')
    expect(unwell).toEqual([])
  })

  it('finds every metric of the dashboard and the rules in /metrics of the command', async () => {
    const metrics = await (await fetch(`${gatehouse.url}/metrics`)).text()
    const exposed = new Set(
      [...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
        type === 'histogram' || type === 'summary'
          ? ['_bucket', '_count', '_sum'].map((end) => `${name}${end}`)
          : [name],
      ),
    )
    const used = metricsIn(
      [...panelExpressions, ...rules.map(({ expr }) => expr.replaceAll(/\w+:\w+:\w+/g, ''))].join(
        '\n',
      ),
    )
    expect(used.length).toBeGreaterThan(40)
    expect(used.filter((name) => !exposed.has(name))).toEqual([])
  })

  it('records every metric that the alerts read from other rules', () => {
    const recorded = rules.flatMap(({ record }) => record ?? [])
    const read = rules.flatMap(({ expr }) => expr.match(/\w+:\w+:\w+/g) ?? [])
    expect(read.filter((name) => !recorded.includes(name))).toEqual([])
  })

  it.each(panelExpressions)('understands %s', async (expression) => {
    await expect(query(expression)).resolves.toHaveProperty('result')
  })
})
