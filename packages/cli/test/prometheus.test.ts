import { spawn } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith, pathOf, prometheusBinary } from '../../../test-support/binaries.ts'
import { freePort } from '../../../test-support/free-port.mjs'
import { until } from './support/poll.ts'
import {
  type Server,
  serverOf,
  startGatehouse,
  temporaryFolder,
  whenReady,
} from './support/server.ts'

const config = `
route:
  receiver: default
  routes:
  - receiver: databases
    matchers: [ 'service="db"' ]
receivers:
- name: default
- name: databases
`

const rules = `
groups:
- name: fixture
  rules:
  - alert: FixtureBroken
    expr: fixture_broken == 1
    labels: { service: db, severity: page }
    annotations: { summary: 'broken: {{ $value }} <at> {{ $labels.instance }}' }
  - alert: AlwaysFiring
    expr: vector(1)
`

interface ListedAlert {
  labels: Record<string, string>
  annotations: Record<string, string>
  startsAt: string
  endsAt: string
  updatedAt: string
  generatorURL: string
  receivers: { name: string }[]
}

describeWith([prometheusBinary], 'a real Prometheus that has Gatehouse as its Alertmanager', () => {
  let broken = 0
  let folder: string
  let gatehouse: Server
  let prometheus: Server
  const fixture = createServer((_, response) => {
    response.setHeader('content-type', 'text/plain; version=0.0.4')
    response.end(`fixture_broken ${broken}\n`)
  })

  beforeAll(async () => {
    folder = await temporaryFolder()
    const fixturePort = await freePort()
    await new Promise<void>((resolve) => fixture.listen(fixturePort, '127.0.0.1', resolve))
    const flags = ['--web.external-url=http://alerts.example.org/am']
    gatehouse = await startGatehouse({ config, flags, prefix: '/am' })

    await writeFile(join(folder, 'rules.yml'), rules)
    await writeFile(
      join(folder, 'prometheus.yml'),
      `
global: { scrape_interval: 250ms, scrape_timeout: 250ms, evaluation_interval: 250ms, external_labels: { cluster: test } }
rule_files: [ rules.yml ]
scrape_configs:
- { job_name: fixture, static_configs: [ { targets: [ '127.0.0.1:${fixturePort}' ] } ] }
- { job_name: gatehouse, metrics_path: /am/metrics, static_configs: [ { targets: [ '127.0.0.1:${gatehouse.port}' ] } ] }
alerting:
  alertmanagers:
  - { path_prefix: /am, api_version: v2, static_configs: [ { targets: [ '127.0.0.1:${gatehouse.port}' ] } ] }
`,
    )
    const port = await freePort()
    const child = spawn(
      pathOf(prometheusBinary),
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'prometheus')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--web.external-url=http://prometheus.example.org/',
        '--web.route-prefix=/',
        '--rules.alert.resend-delay=500ms',
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    )
    prometheus = serverOf(child, `http://127.0.0.1:${port}`, port, async () => undefined)
    await whenReady(prometheus)
  })
  afterAll(async () => {
    await prometheus?.stop()
    await gatehouse?.stop()
    await new Promise((resolve) => fixture.close(resolve))
    await rm(folder, { recursive: true, force: true })
  })

  async function alertNamed(name: string): Promise<ListedAlert | undefined> {
    const response = await fetch(`${gatehouse.url}/api/v2/alerts?filter=alertname="${name}"`)
    expect(response.status).toBe(200)
    const alerts: ListedAlert[] = JSON.parse(await response.text())
    return alerts[0]
  }

  /** The value of an instant query, `undefined` if it has none. */
  async function sampleOf(expression: string): Promise<number | undefined> {
    const response = await fetch(
      `${prometheus.url}/api/v1/query?query=${encodeURIComponent(expression)}`,
    )
    const answer: { data: { result: { value: [number, string] }[] } } = JSON.parse(
      await response.text(),
    )
    const text = answer.data.result[0]?.value[1]
    return text === undefined ? undefined : Number(text)
  }

  it('delivers a firing alert completely, keeps it alive, and resolves it', async () => {
    broken = 1
    const alert = await until('the alert arrives', () => alertNamed('FixtureBroken'))
    expect(alert).toMatchObject({
      labels: {
        alertname: 'FixtureBroken',
        cluster: 'test',
        job: 'fixture',
        service: 'db',
        severity: 'page',
      },
      receivers: [{ name: 'databases' }],
    })
    expect(alert.annotations.summary).toBe(`broken: 1 <at> ${alert.labels.instance}`)
    expect(alert.generatorURL).toMatch(
      /^http:\/\/prometheus\.example\.org\/graph\?g0\.expr=fixture_broken/,
    )

    const again = await until('the alert is sent again', async () => {
      const found = await alertNamed('FixtureBroken')
      return found !== undefined && found.updatedAt > alert.updatedAt && found.endsAt > alert.endsAt
        ? found
        : undefined
    })
    expect(again.startsAt).toBe(alert.startsAt)

    broken = 0
    await until('the alert resolves', async () =>
      (await alertNamed('FixtureBroken')) === undefined ? true : undefined,
    )
    expect(await alertNamed('AlwaysFiring')).toBeDefined()

    broken = 1
    const second = await until('the alert fires a second time', () => alertNamed('FixtureBroken'))
    expect(second.startsAt > alert.startsAt).toBe(true)
  })

  it('sees Gatehouse as an Alertmanager that never refused an alert', async () => {
    const response = await fetch(`${prometheus.url}/api/v1/alertmanagers`)
    const answer: { data: { activeAlertmanagers: { url: string }[] } } = JSON.parse(
      await response.text(),
    )
    expect(answer.data.activeAlertmanagers).toEqual([{ url: `${gatehouse.url}/api/v2/alerts` }])

    const metrics = await (await fetch(`${prometheus.url}/metrics`)).text()
    const total = (name: string): number =>
      Number(
        new RegExp(`^prometheus_notifications_${name}_total(?:\\{.*\\})? (.*)$`, 'm').exec(
          metrics,
        )?.[1],
      )
    expect(total('sent')).toBeGreaterThan(0)
    expect(total('errors')).toBe(0)
  })

  it('scrapes the metrics of Gatehouse', async () => {
    await until('the target is up', async () =>
      (await sampleOf('up{job="gatehouse"}')) === 1 ? true : undefined,
    )
    await until('the active alerts are counted', async () =>
      ((await sampleOf('alertmanager_alerts{job="gatehouse",state="active"}')) ?? 0) >= 1
        ? true
        : undefined,
    )
    expect(
      await sampleOf('sum(alertmanager_alerts_received_total{job="gatehouse",status="firing"})'),
    ).toBeGreaterThan(0)
    expect(await sampleOf('alertmanager_config_last_reload_successful{job="gatehouse"}')).toBe(1)
  })
})
