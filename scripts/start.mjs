// `npm start [-- FOLDER] [--empty]`: serves Gatehouse from an SQLite file with a small example configuration. The first start
// creates and fills the folder; later starts leave it as it is. PORT chooses the port. `gatehouse demo` sends the alerts of a small
// shop, unless `--empty` is given. One can sign in as a viewer, an operator and an administrator.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { buildJs } from './build-js.mjs'
import { demoFiles, forPlace } from './demo-files.mjs'
import { demoToken } from './demo-jobs.mjs'
import { enterPeople } from './demo-people.mjs'
import { endWithParent } from './end-with-parent.mjs'
import { installIfNeeded } from './install-if-needed.mjs'
import { root } from './run.mjs'

const given = process.argv.slice(2)
const isEmpty = given.includes('--empty')
const folder = resolve(given.find((word) => word !== '--empty') ?? `${root}gatehouse-data`)
const port = process.env.PORT || '9093'
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
// A folder of an earlier version keeps its configuration, and has no people.
const served = readFileSync(`${folder}/gatehouse.yml`, 'utf8')
const token = /^admin: \{ token: (\S+) \}/m.exec(served)?.[1] ?? demoToken
const tokenFile = /^ {4}demo: \{ token: \{ file: demo\.token \}/m.test(served)
  ? `${folder}/demo.token`
  : undefined
const people =
  tokenFile === undefined ? [] : JSON.parse(readFileSync(`${folder}/people.json`, 'utf8'))
const accounts = people.filter(({ password }) => password !== undefined)
const does = {
  viewer: 'sees alerts, silences, webhooks and their runs',
  operator: 'also silences, acknowledges, and runs webhooks',
  admin: 'also sees and changes people',
}
const signIn = `
Anybody may look. Sign in there to do more, with the password ${accounts[0]?.password}:

${accounts.map(({ id, email }) => `  ${email.padEnd(22)}${does[id] ?? ''}`).join('\n')}

New people sign up at ${url}/signup: this terminal shows the code in place of a mail.
`
const hasApps = /^ {2}oidc:$/m.test(served)
const apps = `
Other apps can sign people in here; docs/single-sign-on.md has the settings of Grafana. Without one, be a device:

  curl ${url}/oidc/device_authorization -d client_id=terminal -d scope=openid
`
console.log(`
The data and the configuration are in ${folder}/
Once it listens, open ${url} in a browser${
  isEmpty
    ? '.'
    : `: demo alerts are firing there. Notifications arrive at
http://127.0.0.1:${inboxPort}. \`npm start -- --empty\` starts without them.`
}
${accounts.length > 0 ? signIn : ''}
For programs:

  curl ${url}/api/v2/alerts -H 'Content-Type: application/json' \\
    -d '[{"labels": {"alertname": "DiskFull", "severity": "critical"}}]'
  amtool --alertmanager.url=${url} alert query
  curl ${url}/webhook -H 'Content-Type: application/json' \\
    -d '{"id": "hello", "token": "${token}", "data": {"name": "world"}}'
${hasApps ? apps : ''}`)

// The command runs in this process, so that signals and the exit code are its own.
const command = `${root}packages/cli/dist/main.js`
const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
process.argv = [process.argv[0], command, 'api', '--config', `${folder}/gatehouse.yml`]
process.argv.push('--listen', address)
if (!isEmpty) {
  const demo = [command, 'demo', '--url', `http://127.0.0.1:${port}`, '--inbox-port', inboxPort]
  demo.push('--webhook-token', token)
  if (tokenFile !== undefined) demo.push('--token-file', tokenFile)
  const child = spawn(process.execPath, demo.map(String), {
    // It ends when the channel to this process does, whatever ended that.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  process.on('exit', () => child.kill())
}
if (tokenFile !== undefined) {
  const entered = readFileSync(tokenFile, 'utf8').trim()
  void enterPeople(`http://127.0.0.1:${port}`, entered, isEmpty ? accounts : people).catch(
    (error) => {
      console.error(`people were not entered: ${error.message}`)
    },
  )
}
await import(command)
