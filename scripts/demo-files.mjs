import { randomBytes } from 'node:crypto'
import { demoScripts, demoToken, demoWebhooks } from './demo-jobs.mjs'
import { demoPeople, roleLines } from './demo-people.mjs'

// The files that `npm start` writes into its folder.

const serverConfig = `# The configuration of \`gatehouse api\`. Paths are relative to this file.
listen: 127.0.0.1:9093
storage:
  sqlite: gatehouse.db
alerts:
  config: alertmanager.yml
${demoWebhooks}
# Who may do what: anybody who reaches the server may look and post alerts, people who sign in may do more.
access:
  roles:
    sender: { actions: [alerts:post] }
    operator: { actions: [webhooks:run, webhooks:cancel] }
  sessions:
${roleLines}
  tokens:
    demo: { token: { file: demo.token }, roles: admin }
  anonymous: [viewer, sender]

# Users sign up and in by the pages /signup and /login, or at /api/v1/authentication_flows. In development mode the log shows codes instead of mails.
auth:
  config: authgear.yaml
  key_file: auth.key
  account: { base_path: /api/v1/account }
  pages: { name: Gatehouse }
  manage_users: true
  dev: { print_codes: true }
  # Other apps sign people in here: a Grafana on this machine, and a terminal, which has no browser.
  oidc:
    device_flow: true
    clients:
      - client_id: grafana
        name: Grafana
        type: web
        client_secret: { file: grafana.secret }
        redirect_uris: ["http://localhost:3000/login/generic_oauth"]
      - client_id: terminal
        name: Terminal
        type: native
        grant_types: ["urn:ietf:params:oauth:grant-type:device_code"]
`

const authConfig = `# An authgear.yaml: an email address verified by a code, and a password or a passkey.
id: try-it
authentication:
  enumeration_protection: strict
  identities: [login_id, passkey]
  primary_authenticators: [password, passkey]
account_deletion: { scheduled_by_end_user_enabled: true }
identity:
  login_id:
    keys: [{ type: email }]
`

const alertsConfig = `# An ordinary alertmanager.yml.
route:
  receiver: everybody
  group_by: [alertname]
  group_wait: 5s
  group_interval: 1m
  routes:
    - matchers: [severity="critical"]
      receiver: on-call

# The inbox of \`gatehouse demo\`, which npm start runs, too.
receivers:
  - name: everybody
    webhook_configs: [{ url: "http://127.0.0.1:9094/everybody" }]
  - name: on-call
    webhook_configs: [{ url: "http://127.0.0.1:9094/on-call" }]

inhibit_rules:
  - source_matchers: [severity="critical"]
    target_matchers: [severity="warning"]
    equal: [alertname]
`

const texts = {
  'gatehouse.yml': serverConfig,
  'alertmanager.yml': alertsConfig,
  'authgear.yaml': authConfig,
}

/** The files by name, for a server at this host whose demo has its inbox at this port. */
export function demoFiles(place) {
  const files = Object.entries(texts).map(([name, text]) => [name, forPlace(text, place)])
  const key = `${randomBytes(32).toString('base64')}\n`
  return {
    ...Object.fromEntries(files),
    'auth.key': key,
    'grafana.secret': `${randomBytes(32).toString('hex')}\n`,
    'demo.token': `${demoToken}\n`,
    'people.json': `${JSON.stringify(demoPeople(), undefined, 2)}\n`,
    ...demoScripts,
  }
}

/**
 * A file with the parts changed that depend on the place, if they are as this script wrote them. Folders of earlier versions made
 * everybody an administrator who reached the server from its own machine; nobody from elsewhere is one.
 */
export function forPlace(text, { inboxPort, host }) {
  const isOfThisMachine = /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host)
  return text
    .replace(
      /(url: "http:\/\/127\.0\.0\.1:)\d+(\/(?:everybody|on-call)")/g,
      (_, before, after) => `${before}${inboxPort}${after}`,
    )
    .replace(
      /^(# Who may do what\. npm start keeps this line: .*\naccess:\n {2}anonymous: )\w+$/m,
      (_, before) => `${before}${isOfThisMachine ? 'admin' : 'editor'}`,
    )
}
