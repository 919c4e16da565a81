// `npm start [-- FOLDER] [--empty]`: serves Gatehouse from an SQLite file with a small example configuration. The first start
// creates and fills the folder; later starts leave it as it is. PORT chooses the port. `gatehouse demo` sends the alerts of a small
// shop, unless `--empty` is given.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { buildJs } from './build-js.mjs'
import { demoFiles, forPlace } from './demo-files.mjs'
import { demoToken } from './demo-jobs.mjs'
import { endWithParent } from './end-with-parent.mjs'
import { installIfNeeded } from './install-if-needed.mjs'
import { root } from './run.mjs'

const given = process.argv.slice(2)
const isEmpty = given.includes('--empty')
const folder = resolve(given.find((word) => word !== '--empty') ?? `${root}gatehouse-data`)
const port = process.env.PORT ?? '9093'
const host = process.env.HOST ?? '127.0.0.1'
// Where `gatehouse demo` receives notifications.
const inboxPort = Number(port) + 1
const place = { inboxPort, host }

endWithParent()
await installIfNeeded('command')
if (!(await buildJs(['cli']))) process.exit(1)

mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(demoFiles(place))) {
  const path = `${folder}/${name}`
  // Some of the files hold secrets.
  if (!existsSync(path)) writeFileSync(path, text, { mode: 0o600 })
}

// The folder may have been made for another port or host.
for (const name of ['gatehouse.yml', 'alertmanager.yml']) {
  const path = `${folder}/${name}`
  const written = readFileSync(path, 'utf8')
  const current = forPlace(written, place)
  if (current !== written) writeFileSync(path, current)
}

const url = `http://localhost:${port}`
// A folder of an earlier version keeps its configuration.
const served = readFileSync(`${folder}/gatehouse.yml`, 'utf8')
const token = /^admin: \{ token: (\S+) \}/m.exec(served)?.[1] ?? demoToken
const signsIn = /^auth:/m.test(served)
const account = `
To see the account, send the session cookie of the sign-in:

  curl ${url}/api/v1/account -H 'Cookie: session=SESSION'
`
const pages = `
To sign up in a browser, open ${url}/signup and find the code in the log; ${url}/account is the account then.
`
const signUp = `${/^ {2}pages:/m.test(served) ? pages : ''}
To sign up, send the first request, find the code in the log, and put it and the state_token of the answer into the
second; the third signs in. "skip": true declines the passkey that a browser would create at the end:

  curl ${url}/api/v1/authentication_flows -H 'Content-Type: application/json' \\
    -d '{"type": "signup", "name": "default", "input": {"identification": "email", "login_id": "maya@example.com"}}'
  curl ${url}/api/v1/authentication_flows/states/input -H 'Content-Type: application/json' \\
    -d '{"state_token": "STATE_TOKEN", "input": {"code": "CODE", "authentication": "primary_password", "new_password": "tidal-lantern-42", "skip": true}}'
  curl -i ${url}/api/v1/authentication_flows -H 'Content-Type: application/json' \\
    -d '{"type": "login", "name": "default", "input": {"identification": "email", "login_id": "maya@example.com", "authentication": "primary_password", "password": "tidal-lantern-42", "skip": true}}'
${/^ {2}account:/m.test(served) ? account : ''}`
console.log(`
The data and the configuration are in ${folder}/
Once it listens, open ${url} in a browser${
  isEmpty
    ? ''
    : `: demo alerts are firing there;
notifications arrive at http://127.0.0.1:${inboxPort}. This opens the page Webhooks with its token:

  ${url}/#/webhooks?token=${encodeURIComponent(token)}

\`npm start -- --empty\` starts without it`
}.
Or try:

  curl ${url}/api/v2/alerts -H 'Content-Type: application/json' \\
    -d '[{"labels": {"alertname": "DiskFull", "severity": "critical"}}]'
  curl ${url}/api/v2/alerts
  amtool --alertmanager.url=${url} alert query
  curl ${url}/webhook -H 'Content-Type: application/json' \\
    -d '{"id": "hello", "token": "${token}", "data": {"name": "world"}}'
${signsIn ? signUp : ''}`)

// The command runs in this process, so that signals and the exit code are its own.
const command = `${root}packages/cli/dist/main.js`
const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
process.argv = [process.argv[0], command, 'api', '--config', `${folder}/gatehouse.yml`]
process.argv.push('--listen', address)
if (!isEmpty) {
  const demo = [command, 'demo', '--url', `http://127.0.0.1:${port}`, '--inbox-port', inboxPort]
  demo.push('--webhook-token', token)
  const child = spawn(process.execPath, demo.map(String), {
    // It ends when the channel to this process does, whatever ended that.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  process.on('exit', () => child.kill())
}
await import(command)
