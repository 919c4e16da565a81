// `npm start [-- FOLDER]`: serves Gatehouse from an SQLite file with a small example configuration. The folder
// is made and filled on the first start and left as it is afterwards. PORT chooses the port.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { buildJs } from './build-js.mjs'
import { installIfNeeded } from './install-if-needed.mjs'
import { root } from './run.mjs'

const folder = resolve(process.argv[2] ?? `${root}gatehouse-data`)
const port = process.env.PORT ?? '9093'
const host = process.env.HOST ?? '127.0.0.1'

const serverConfig = `# What \`gatehouse api\` serves. Paths are relative to this file.
listen: 127.0.0.1:9093
storage:
  sqlite: gatehouse.db
alerts:
  config: alertmanager.yml
`

const alertsConfig = `# The configuration of Alertmanager, as it stands in any other alertmanager.yml.
route:
  receiver: everybody
  group_by: [alertname]
  routes:
    - matchers: [severity="critical"]
      receiver: on-call

receivers:
  - name: everybody
  - name: on-call

inhibit_rules:
  - source_matchers: [severity="critical"]
    target_matchers: [severity="warning"]
    equal: [alertname]
`

await installIfNeeded()
if (!(await buildJs())) process.exit(1)

mkdirSync(folder, { recursive: true })
const files = { 'gatehouse.yml': serverConfig, 'alertmanager.yml': alertsConfig }
for (const [name, text] of Object.entries(files)) {
  if (!existsSync(`${folder}/${name}`)) writeFileSync(`${folder}/${name}`, text)
}

const url = `http://localhost:${port}`
console.log(`
The data and the configuration are in ${folder}/
When it listens, try:

  curl ${url}/api/v2/alerts -H 'Content-Type: application/json' \\
    -d '[{"labels": {"alertname": "DiskFull", "severity": "critical"}}]'
  curl ${url}/api/v2/alerts
  amtool --alertmanager.url=${url} alert query
`)

// The command runs in this process, so that signals and the exit code are its own.
const command = `${root}packages/cli/dist/main.js`
const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
process.argv = [process.argv[0], command, 'api', '--config', `${folder}/gatehouse.yml`]
process.argv.push('--listen', address)
await import(command)
