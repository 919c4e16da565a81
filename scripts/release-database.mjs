// Fills a database as a user of this release would, and writes it as SQL that restores it. Run `node scripts/release-database.mjs
// NAME` once for each release, from its built packages; never write the files again. Later releases open them in
// packages/core/test/releases.test.ts.
import { writeFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import {
  createAlerts,
  createFunctionNotifier,
  createSilence,
  expireSilence,
  postAlerts,
  startDispatcher,
  startHeartbeat,
  startHistory,
} from '@gatehouse/core'
import {
  addRecoveryCodes,
  advanceFlow,
  createAuth,
  createFlow,
  createSession,
  createUser,
  importUsers,
} from '@gatehouse/core/auth'
import { createManualClock, createMessageOutbox } from '@gatehouse/core/testing'
import { createWebhooks, runWebhook, startWebhooks } from '@gatehouse/core/webhook'
import { createPostgresStorage } from '@gatehouse/store-postgres'
import { createSqliteStorage, openSqliteDatabase } from '@gatehouse/store-sqlite'

const [name = ''] = process.argv.slice(2)
if (!/^[\w.-]+$/.test(name)) throw new Error('name the release: release-database.mjs 0.1.0')
const folder = new URL('../test-support/releases/', import.meta.url)

const start = Date.UTC(2026, 0, 2, 12)
const minute = 60_000

const alertmanagerYaml = `
route: { receiver: team, group_by: [alertname], group_wait: 10s, group_interval: 1m, repeat_interval: 4h }
receivers: [ { name: team } ]
`

const authConfig = {
  id: 'release',
  http: { public_origin: 'https://auth.example.com' },
  authentication: {
    identities: ['login_id'],
    primary_authenticators: ['password', 'oob_otp_email'],
    secondary_authenticators: ['totp'],
    secondary_authentication_mode: 'if_exists',
    lockout: {
      max_attempts: 5,
      history_duration: '1h',
      minimum_duration: '1m',
      maximum_duration: '5m',
      backoff_factor: 2,
      lockout_type: 'per_user',
      password: { enabled: true },
    },
    device_token: { disabled: false },
  },
  identity: {
    login_id: {
      keys: [
        { key: 'email', type: 'email' },
        { key: 'username', type: 'username' },
      ],
    },
  },
  authenticator: { password: { policy: { history_size: 3 } } },
}

const webhooksConfig = {
  webhooks: [
    {
      id: 'deploy',
      token: 'release-token',
      execute_command: '/bin/echo',
      workdir: '/',
      command_arguments: [{ source: 'data.what' }],
      dedupe: { key: 'header:X-Delivery', ttl: '365d' },
      rate_limit: { runs: 100, per: '1d' },
    },
    { id: 'broken', token: 'release-token', execute_command: '/bin/false', workdir: '/' },
  ],
}

/** Waits until pending work has had many turns of the event loop. */
async function settle() {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setTimeout(resolve, 1))
}

async function pass(clock, ms) {
  for (const end = clock.now() + ms; clock.now() < end; ) {
    clock.advance(Math.min(1_000, end - clock.now()))
    await settle()
  }
}

async function fillAlerts(storage, clock) {
  const alerts = createAlerts({
    storage,
    clock,
    config: alertmanagerYaml,
    cluster: { name: 'one', address: '127.0.0.1:9094' },
    notifiers: { team: [createFunctionNotifier(async () => {})] },
  })
  const heartbeat = startHeartbeat(alerts)
  const history = startHistory(alerts)
  const dispatcher = startDispatcher(alerts)
  const labels = (alertname, instance) => ({ alertname, instance, severity: 'critical' })
  const post = (alertname, instance, more = {}) =>
    postAlerts(alerts, [
      {
        labels: labels(alertname, instance),
        annotations: {
          summary: `${alertname} on ${instance}`,
          runbook: 'https://example.com/runbook',
        },
        generatorURL: 'http://prometheus.example.com/graph?g0.expr=up',
        ...more,
      },
    ])
  await post('DiskFull', 'db-1', {
    startsAt: clock.now() - minute,
    endsAt: clock.now() + 30 * 24 * 60 * minute,
  })
  await post('DiskFull', 'db-2', {
    startsAt: clock.now(),
    startsAtText: '2026-01-02T13:00:00.123456789+01:00',
    endsAt: clock.now() + 30 * 24 * 60 * minute,
  })
  await post('HostDown', 'web-1', { endsAt: clock.now() + 5 * minute })
  const matcher = (value, isRegex = false) => ({ name: 'instance', value, isRegex, isEqual: true })
  const silence = (value, more = {}) =>
    createSilence(alerts, {
      matchers: [matcher(value)],
      startsAt: clock.now(),
      endsAt: clock.now() + 30 * 24 * 60 * minute,
      createdBy: 'maya',
      comment: `maintenance of ${value}`,
      ...more,
    })
  await silence('db-2')
  await silence('', { matchers: [matcher('backup-.*', true)], startsAt: clock.now() + minute })
  const expired = await silence('old-1')
  await pass(clock, 2 * minute)
  await expireSilence(alerts, typeof expired === 'string' ? expired : expired.silenceID)
  await post('HostDown', 'web-1', { endsAt: clock.now() })
  await pass(clock, 2 * minute)
  await history.flush()
  // Stop only after the dump: the database should hold a heartbeat and timers, as after a crash.
  return async () => {
    await dispatcher.stop()
    await history.stop()
    await heartbeat.stop()
  }
}

async function fillAuth(storage, clock) {
  const outbox = createMessageOutbox()
  const auth = createAuth({
    storage,
    clock,
    config: authConfig,
    secrets: [{ id: 'release', key: 'the key of the database of a release' }],
    senders: outbox.senders,
    onEvent: () => {
      throw new Error('no listener, so that events stay queued')
    },
  })
  const maya = await createUser(auth, {
    email: 'maya@harborlight.example',
    email_verified: true,
    preferred_username: 'maya',
    password: 'tidal-lantern-42',
  })
  await importUsers(auth, [
    {
      email: 'tom@harborlight.example',
      email_verified: true,
      password: {
        type: 'bcrypt',
        password_hash: '$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
      },
      mfa: { totp: { secret: 'JBSWY3DPEHPK3PXP' } },
    },
  ])
  await addRecoveryCodes(auth, maya)
  const opened = await createSession(auth, maya, {
    id: 'release-session',
    token: `release-session.${'a'.repeat(40)}`,
    amr: ['pwd'],
    ip: '192.0.2.7',
    userAgent: 'a browser',
  })
  if (opened.session.id !== 'release-session') throw new Error('the session has another id')
  const context = { ip: '192.0.2.7' }
  const login = await createFlow(auth, { type: 'login', name: 'default' }, context)
  const identified = await advanceFlow(
    auth,
    {
      state_token: login.result.state_token,
      input: { identification: 'email', login_id: 'maya@harborlight.example' },
    },
    context,
  )
  if (!identified.ok) throw new Error(JSON.stringify(identified.error))
  // A wrong password: the attempt is counted, and the flow stays where it was.
  const failed = await advanceFlow(
    auth,
    {
      state_token: identified.result.state_token,
      input: { authentication: 'primary_password', password: 'wrong' },
    },
    context,
  )
  if (failed.ok) throw new Error('a wrong password was accepted')
  const byCode = await createFlow(auth, { type: 'login', name: 'default' }, context)
  const named = await advanceFlow(
    auth,
    {
      state_token: byCode.result.state_token,
      input: { identification: 'email', login_id: 'maya@harborlight.example' },
    },
    context,
  )
  const sent = await advanceFlow(
    auth,
    {
      state_token: named.result.state_token,
      input: { authentication: 'primary_oob_otp_email', index: 1, channel: 'email' },
    },
    context,
  )
  if (!sent.ok) throw new Error(JSON.stringify(sent.error))
  await settle()
  return {
    state_token: identified.result.state_token,
    code_state_token: sent.result.state_token,
    code: outbox.codeTo('maya@harborlight.example'),
    maya,
  }
}

async function fillWebhooks(storage, clock) {
  const webhooks = createWebhooks({
    storage,
    clock,
    config: webhooksConfig,
    environment: { PATH: process.env.PATH },
  })
  const running = startWebhooks(webhooks)
  const deploy = await runWebhook(webhooks, {
    id: 'deploy',
    token: 'release-token',
    data: { what: 'the release' },
    headers: { 'x-delivery': 'release-1' },
  })
  await runWebhook(webhooks, { id: 'broken', token: 'release-token', data: {} })
  await running.stop?.()
  return { run_id: deploy.run_id }
}

async function fill(storage, clock) {
  const facts = { at: start }
  Object.assign(facts, await fillAuth(storage, clock))
  Object.assign(facts, await fillWebhooks(storage, clock))
  const end = await fillAlerts(storage, clock)
  facts.writtenAt = clock.now()
  return { facts, end }
}

const quoted = (value) => {
  if (value === null) return 'NULL'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  return `'${String(value).replaceAll("'", "''")}'`
}
const insert = (table, row) =>
  `INSERT INTO "${table}" (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(quoted).join(', ')});`

async function dumpSqlite() {
  const clock = createManualClock(start)
  const database = openSqliteDatabase(':memory:', 0)
  const storage = createSqliteStorage({ filename: ':memory:', database, clock })
  const { facts, end } = await fill(storage, clock)
  const pragmas = ['application_id', 'user_version'].map(
    (pragma) => `PRAGMA ${pragma} = ${database.prepare(`PRAGMA ${pragma}`).get()[pragma]};`,
  )
  const entries = database
    .prepare(
      "SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type = 'index', rowid",
    )
    .all()
  const rows = entries
    .filter(({ type }) => type === 'table')
    .flatMap(({ name }) =>
      database
        .prepare(`SELECT * FROM "${name}" ORDER BY rowid`)
        .all()
        .map((row) => insert(name, row)),
    )
  await end()
  await storage.close()
  return { facts, sql: [...pragmas, ...entries.map(({ sql }) => `${sql};`), ...rows].join('\n') }
}

const columnText = (value) => {
  if (Array.isArray(value)) return `ARRAY[${value.map(quoted).join(', ')}]::text[]`
  return quoted(value)
}

async function dumpPostgres() {
  const clock = createManualClock(start)
  const database = await PGlite.create()
  const storage = createPostgresStorage({ database, clock })
  const { facts, end } = await fill(storage, clock)
  const tables = (
    await database.query(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    )
  ).rows
  const lines = []
  for (const { name: table } of tables) {
    const columns = (
      await database.query(
        `SELECT attname AS name, format_type(atttypid, atttypmod) AS type, attnotnull AS needed,
         CASE WHEN attcollation <> 0 AND attcollation <> (SELECT typcollation FROM pg_type t WHERE t.oid = atttypid) THEN (SELECT collname FROM pg_collation c WHERE c.oid = attcollation) END AS collation
       FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
        [`"${table}"`],
      )
    ).rows
    const constraints = (
      await database.query(
        "SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conrelid = $1::regclass AND contype IN ('p', 'c', 'u') ORDER BY conname",
        [`"${table}"`],
      )
    ).rows
    const parts = [
      ...columns.map(
        ({ name: column, type, needed, collation }) =>
          `${column} ${type}${collation ? ` COLLATE "${collation}"` : ''}${needed ? ' NOT NULL' : ''}`,
      ),
      ...constraints.map(
        (constraint) => `CONSTRAINT "${constraint.name}" ${constraint.definition}`,
      ),
    ]
    lines.push(`CREATE TABLE "${table}" (${parts.join(', ')});`)
  }
  for (const { name: table } of tables) {
    for (const row of (await database.query(`SELECT * FROM "${table}" ORDER BY 1`)).rows) {
      lines.push(
        `INSERT INTO "${table}" (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(columnText).join(', ')});`,
      )
    }
  }
  const indexes = (
    await database.query(
      `SELECT indexdef AS sql FROM pg_indexes WHERE schemaname = 'public'
     AND indexname NOT IN (SELECT conname FROM pg_constraint) ORDER BY indexname`,
    )
  ).rows
  await end()
  await storage.close()
  await database.close()
  return {
    facts,
    sql: [...lines, ...indexes.map(({ sql }) => `${sql.replaceAll(' public.', ' ')};`)].join('\n'),
  }
}

for (const [kind, dump] of [
  ['sqlite', dumpSqlite],
  ['postgres', dumpPostgres],
]) {
  const { facts, sql } = await dump()
  writeFileSync(new URL(`${name}.${kind}.sql`, folder), `${sql}\n`)
  writeFileSync(new URL(`${name}.${kind}.json`, folder), `${JSON.stringify(facts, null, 2)}\n`)
}
