import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { honoAdapter, requireToken } from '@gatehouse/adapter-hono'
import { createAlerts, listAlerts } from '@gatehouse/core'
import { createTokenVerifier } from '@gatehouse/core/auth'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { expect, it, onTestFinished } from 'vitest'
import { describeWith, pathOf, prometheusBinary } from '../../../test-support/binaries.ts'
import { freePort } from '../../../test-support/free-port.mjs'
import { type Server, serverOf, temporaryFolder, whenReady } from '../../cli/test/support/server.ts'
import { listen, secret, startLive } from './live.fixture.ts'

const page = readFileSync(new URL('../../../docs/single-sign-on.md', import.meta.url), 'utf8')
const [, alerting = ''] = /^`prometheus\.yml`:\n\n```yaml\n(.*?)```/ms.exec(page) ?? []

const rules = `
groups:
- name: fixture
  rules:
  - { alert: AlwaysFiring, expr: vector(1) }
`

// The time for a scrape includes the request for the token, which a busy machine may answer slowly.
const global = `
global: { scrape_interval: 5s, scrape_timeout: 5s, evaluation_interval: 250ms }
rule_files: [ rules.yml ]
`

/** An Alertmanager that takes alerts, and shows its metrics, only with a token. */
async function startAlerts() {
  const audience = 'https://alerts.example.com'
  const live = await startLive({
    oidc: {
      resources: [{ identifier: audience, scopes: ['alerts:post'] }],
      clients: [
        {
          clientId: 'prometheus',
          name: 'Prometheus',
          type: 'service',
          clientSecret: secret,
          resources: [audience],
        },
      ],
    },
  })
  const config = { route: { receiver: 'ops' }, receivers: [{ name: 'ops' }] }
  const alerts = createAlerts({ storage: createMemoryStorage(), config })
  const verifier = createTokenVerifier({ issuer: live.origin, audience })
  const statuses: number[] = []
  const app = new Hono()
  app.use(async (c, next) => {
    await next()
    statuses.push(c.res.status)
  })
  app.use('*', requireToken(verifier, { scope: 'alerts:post' }))
  app.route('/', honoAdapter(alerts.routes))
  app.get('/metrics', (c) => c.text('harbor_ships 7\n'))
  const serve = getRequestListener(app.fetch)
  const origin = await listen('127.0.0.1', (request, response) => void serve(request, response))
  return { live, alerts, origin, statuses }
}

/** Starts Prometheus with a configuration. */
async function startPrometheus(folder: string, config: string): Promise<Server> {
  await writeFile(join(folder, 'rules.yml'), rules)
  await writeFile(join(folder, 'prometheus.yml'), config)
  const port = await freePort()
  const flags = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--rules.alert.resend-delay=500ms',
  ]
  const child = spawn(pathOf(prometheusBinary), flags, { stdio: ['ignore', 'pipe', 'pipe'] })
  const server = serverOf(child, `http://127.0.0.1:${port}`, port, async () => undefined)
  onTestFinished(async () => {
    await server.stop()
  })
  await whenReady(server)
  return server
}

describeWith([prometheusBinary], 'a real Prometheus with a client of its own', () => {
  it('posts alerts and scrapes with a token, as the page configures it', async () => {
    const { live, alerts, origin, statuses } = await startAlerts()
    const folder = await temporaryFolder()
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await writeFile(join(folder, 'gatehouse.secret'), secret)
    const here = alerting
      .replace('scheme: https', 'scheme: http')
      .replace('[alerts.example.com]', `['${new URL(origin).host}']`)
      .replace('/etc/prometheus/gatehouse.secret', join(folder, 'gatehouse.secret'))
      .replace('https://id.example.com', live.origin)
    const [, oauth2 = ''] = /^( +oauth2:\n.*)/ms.exec(here) ?? []
    const target = `static_configs: [{ targets: ['${new URL(origin).host}'] }]`
    const scrapes = `scrape_configs:\n    - job_name: harbor\n      ${target}\n${oauth2}`
    const prometheus = await startPrometheus(folder, `${global}${here}${scrapes}`)
    await expect
      .poll(async () => (await listAlerts(alerts)).map(({ labels }) => labels.alertname))
      .toContain('AlwaysFiring')
    const scraped = `${prometheus.url}/api/v1/query?query=${encodeURIComponent('up{job="harbor"}')}`
    await expect.poll(async () => (await fetch(scraped)).text()).toContain('"1"')
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect((await fetch(`${origin}/api/v2/alerts`)).status).toBe(401)
    expect(live.log()).not.toContain(secret)
  })
})
