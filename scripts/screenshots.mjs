// `npm run screenshots`: writes docs/images, every page of the console in light and dark, on a desktop and a phone, as the demo
// shows them. Needs Chromium. `npm run screenshots -- NAME` writes only the pages whose names begin so; `npm run screenshots -- pages`
// writes those of the sign-in pages to .pictures/, to look at, and renews the one of the documentation.
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { buildJs } from './build-js.mjs'
import { demoScripts, demoToken, demoWebhooks } from './demo-jobs.mjs'
import { root } from './run.mjs'

const places = {
  alerts: '#/alerts',
  'alerts-table': '#/alerts?view=table',
  silences: '#/silences',
  'silence-form': '#/silences/new?filter=service%3D"db"',
  routing:
    '#/routing?labels=alertname%3D"CheckoutSlow"%2C severity%3D"critical"%2C service%3D"checkout"',
  notifications: '#/notifications?period=1h',
  webhooks: '#/webhooks',
  'webhook-form': '#/webhooks/new/deploy',
  status: '#/status',
  people: '#/people',
  person: '#/people/user/maya',
  'sign-in': '#/sign-in',
}
const users = ['Maya Lund', 'Ada Berg', 'Jo Solberg', 'Kim Vik'].map((name) => {
  const email = `${name.toLowerCase().replace(' ', '.')}@example.com`
  const id = name.split(' ')[0]?.toLowerCase()
  return { id, email, email_verified: true, standard_attributes: { name } }
})
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 780 } }
const colorSchemes = ['light', 'dark']
/** So long the demo runs before: its first notifications must have arrived, and the first have failed. */
const warmUpMs = 60_000

const browserPath = execFileSync('sh', ['-c', 'command -v chromium']).toString().trim()
if (!(await buildJs())) process.exit(1)
if (process.argv[2] === 'pages') {
  const { takeSignInPictures } = await import('./sign-in-pictures.mjs')
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
  mkdirSync(`${root}.pictures`, { recursive: true })
  try {
    await takeSignInPictures(browser, `${root}.pictures`)
  } finally {
    await browser.close()
  }
  const shown = 'pages-login-card-en-desktop-light.png' // in docs/sign-in.md
  copyFileSync(`${root}.pictures/${shown}`, `${root}docs/images/${shown}`)
  console.log(`wrote ${root}.pictures`)
  process.exit()
}
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-screenshots-'))
const target = `${root}docs/images`
mkdirSync(target, { recursive: true })

const [port, inboxPort] = [9_571, 9_572]
const alertsConfig = `
route:
  receiver: everybody
  group_by: [alertname]
  group_wait: 2s
  group_interval: 10s
  routes:
    - { receiver: on-call, matchers: [severity="critical"] }
    - { receiver: platform, matchers: [service=~"db|ci"], routes: [{ receiver: dba, matchers: [service="db"] }] }
receivers:
  - { name: everybody, webhook_configs: [{ url: "http://127.0.0.1:${inboxPort}/everybody" }] }
  - { name: on-call, webhook_configs: [{ url: "http://127.0.0.1:${port + 2}/on-call" }] }
  - { name: platform, webhook_configs: [{ url: "http://127.0.0.1:${inboxPort}/platform" }] }
  - { name: dba, webhook_configs: [{ url: "http://127.0.0.1:${port + 2}/pager", max_alerts: 5 }] }
inhibit_rules:
  - { source_matchers: [severity="critical"], target_matchers: [severity="warning"], equal: [alertname] }
`
writeFileSync(join(folder, 'alertmanager.yml'), alertsConfig)
writeFileSync(
  join(folder, 'gatehouse.yml'),
  `
listen: 127.0.0.1:${port}
storage: { sqlite: gatehouse.db }
alerts: { config: alertmanager.yml }
access: { anonymous: admin }
auth: { config: authgear.yaml, key_file: auth.key, manage_users: true, dev: { print_codes: true } }
${demoWebhooks}`,
  // It has secrets.
  { mode: 0o600 },
)
writeFileSync(join(folder, 'auth.key'), randomBytes(32).toString('base64'))
writeFileSync(
  join(folder, 'authgear.yaml'),
  'id: shop\nauthentication: { identities: [login_id], primary_authenticators: [password] }\n',
)
for (const [name, text] of Object.entries(demoScripts)) writeFileSync(join(folder, name), text)

await seedPeaks()
const command = `${root}packages/cli/dist/main.js`
const run = (...args) =>
  spawn(process.execPath, [command, ...args], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
const server = run('api', '--config', join(folder, 'gatehouse.yml'))
const url = `http://127.0.0.1:${port}`
for (;;) {
  const isReady = await fetch(`${url}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  )
  if (isReady) break
  await pause(100)
}
const demo = run('demo', '--url', url, '--inbox-port', String(inboxPort))
const headers = { authorization: `Bearer ${demoToken}`, 'content-type': 'application/json' }
const start = (id, data) =>
  fetch(`${url}/webhook/${id}`, {
    method: 'POST',
    headers: { ...headers, prefer: 'respond-async' },
    body: JSON.stringify(data),
  })
await start('deploy', { image: 'shop/checkout:1.41-broken' })
for (const supplier of ['northwind', 'acme', 'harborlight', 'acme', 'northwind', 'acme', 'acme']) {
  await start('import-prices', { supplier })
}
await start('deploy', { image: 'shop/checkout:1.42' })
const imported = await fetch(`${url}/gatehouse/v1/users/import`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ users }),
})
if (!imported.ok) throw new Error(`${imported.status} ${await imported.text()}`)
await pause(warmUpMs)
const failed = await fetch(`${url}/runs?id=deploy&status=failed`, { headers })
const { runs } = await failed.json()
places['webhook-run'] = `#/webhooks/run/${runs[0]?.run_id}`

const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
try {
  await shoot(places)
  await new Promise((resolve) => run('demo', '--url', url, '--storm').once('exit', resolve))
  await shoot({ storm: '#/alerts' })
} finally {
  await browser.close()
  demo.kill()
  server.kill()
  rmSync(folder, { recursive: true })
}
console.log(`wrote ${target}`)

/** Gives the chart of the last day something to show. */
async function seedPeaks() {
  // Only now: they have just been built.
  const { alertsCollections } = await import('@gatehouse/core/alerts')
  const { createSqliteStorage } = await import('@gatehouse/store-sqlite')
  const storage = createSqliteStorage({ filename: join(folder, 'gatehouse.db') })
  const collection = alertsCollections.find(({ name }) => name === 'firing_peaks')
  const partMs = 900_000
  const last = Math.floor(Date.now() / partMs) * partMs
  const writes = Array.from({ length: 95 }, (_, part) => {
    const at = last - (95 - part) * partMs
    const incident = part > 40 && part < 52 ? 60 - Math.abs(45 - part) * 8 : 0
    const alerts = Math.round(9 + 4 * Math.sin(part / 9) + Math.max(0, incident))
    return { collection, id: String(at).padStart(15, '0'), value: { at, alerts } }
  })
  await storage.commit(writes)
  await storage.close()
}

/** Writes pictures of pages in all sizes and color schemes. */
async function shoot(wanted) {
  for (const colorScheme of colorSchemes) {
    for (const [size, viewport] of Object.entries(sizes)) {
      const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' })
      await page.addInitScript(
        `sessionStorage.setItem('gatehouse-webhook-token', ${JSON.stringify(demoToken)})`,
      )
      for (const [name, place] of Object.entries(wanted)) {
        if (!name.startsWith(process.argv[2] ?? '')) continue
        await page.goto(`${url}/${place}`)
        await page.reload()
        await page.locator('main h1').first().waitFor({ state: 'attached' })
        await page.waitForLoadState('domcontentloaded')
        // Rates need several readings.
        await pause(name === 'status' ? 16_000 : name === 'storm' ? 5_000 : 700)
        await page.screenshot({ path: join(target, `${name}-${size}-${colorScheme}.png`) })
      }
      await page.close()
    }
  }
}
