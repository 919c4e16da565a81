// An app that bundlers take apart: it imports each part of the packages that needs an optional package.
import { honoAdapter, requireSession } from '@gatehouse/adapter-hono'
import { createAlerts, createAuth, isGatehouseError } from '@gatehouse/core'
import { testReceiver } from '@gatehouse/core/alerts'
import { loadBcryptVerify } from '@gatehouse/core/auth'
import { createLdapClient } from '@gatehouse/core/ldap'
import { createOAuthClient } from '@gatehouse/core/oauth'
import { createPasswordStrength } from '@gatehouse/core/password-strength'
import { defineCollection } from '@gatehouse/core/store'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { createPostgresStorage } from '@gatehouse/store-postgres'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { Hono } from 'hono'

const storage = createMemoryStorage()
const nowhere = '127.0.0.1:1'

const alerts = createAlerts({
  storage,
  config: {
    route: { receiver: 'mail' },
    receivers: [
      {
        name: 'mail',
        email_configs: [{ to: 'a@example.com', from: 'b@example.com', smarthost: nowhere }],
      },
      {
        name: 'tls',
        webhook_configs: [
          {
            url: `https://${nowhere}/`,
            http_config: { tls_config: { insecure_skip_verify: true } },
          },
        ],
      },
      {
        name: 'proxy',
        webhook_configs: [
          { url: 'https://127.0.0.1:2/', http_config: { proxy_url: `http://${nowhere}` } },
        ],
      },
    ],
  },
})

const auth = createAuth({
  storage,
  config: {
    id: 'bundled',
    // Programs in production refuse plain HTTP otherwise.
    http: { public_origin: 'http://localhost:3000', allow_insecure: true },
    identity: { login_id: { keys: [{ type: 'username' }] } },
    authentication: {
      identities: ['login_id'],
      primary_authenticators: ['password'],
    },
  },
  secrets: [{ id: 'k1', key: 'a key for this program alone, of 32 bytes' }],
  logger: false,
})

const sent = async (receiver) => {
  const [{ result }] = await testReceiver(alerts, receiver)
  return result.detail ?? ''
}

/** By the name of an optional package, what needs it. */
const needs = {
  nodemailer: () => sent('mail'),
  undici: async () => `${await sent('tls')}; ${await sent('proxy')}`,
  'hash-wasm': async () => {
    const hash = '$2b$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2'
    const password = new TextEncoder().encode('correct horse')
    return loadBcryptVerify()({ password, hash })
  },
  ldapts: () =>
    createLdapClient({ timeoutMs: 500 }).authenticate(
      { name: 'directory', url: `ldap://${nowhere}`, base_dn: 'dc=a', search_filter_template: '' },
      { username: 'a', password: 'b' },
    ),
  zxcvbn: async () => createPasswordStrength()('tidal-lantern-42'),
  pg: async () => {
    const remote = createPostgresStorage({ url: `postgres://${nowhere}/none`, logger: false })
    return remote.get(defineCollection({ name: 'none' }), ['a'])
  },
  sqlite: async () => {
    const local = createSqliteStorage({ filename: ':memory:' })
    await local.close()
  },
}

/** Says of an optional package whether it was found. */
async function find(need) {
  const said = await need().catch((error) =>
    isGatehouseError(error) ? `${error.reason}: ${error.message}` : String(error),
  )
  return /MissingPackage|DriverMissing|could not be loaded/.test(String(said)) ? 'missing' : 'found'
}

export const app = new Hono()
app.get('/me', requireSession(auth), (c) => c.json(c.get('session').user_id))
app.get('/optional', async (c) => {
  const found = Object.entries(needs).map(async ([name, need]) => [name, await find(need)])
  return c.json({
    ...Object.fromEntries(await Promise.all(found)),
    oauth: typeof createOAuthClient,
  })
})
app.route('/', honoAdapter([...auth.routes, ...alerts.routes]))
