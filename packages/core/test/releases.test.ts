import { readdirSync, readFileSync } from 'node:fs'
import {
  advanceFlow,
  createAlerts,
  createAuth,
  createFunctionNotifier,
  createWebhooks,
  getRun,
  getUser,
  listAlerts,
  listRuns,
  listSilences,
  resolveSession,
  type Storage,
  startDispatcher,
  startHistory,
} from '@gatehouse/core'
import {
  alertsCollections,
  listAlertHistory,
  listNotifications,
  listSilenceHistory,
} from '@gatehouse/core/alerts'
import { authCollections } from '@gatehouse/core/auth'
import { checkRecords } from '@gatehouse/core/store'
import { createManualClock, createMessageOutbox, type ManualClock } from '@gatehouse/core/testing'
import { webhooksCollections } from '@gatehouse/core/webhook'
import { createPostgresStorage } from '@gatehouse/store-postgres'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { describe, expect, it } from 'vitest'
import { runSql } from '../../../test-support/postgres/postgres-database.ts'
import { describeWithPostgres, useDatabase } from '../../../test-support/postgres/use-postgres.ts'
import { Database } from '../../../test-support/sqlite.ts'

/** The facts about a release's database. See scripts/release-database.mjs. */
interface Facts {
  readonly writtenAt: number
  readonly maya: string
  readonly state_token: string
  readonly code_state_token: string
  readonly code: string
  readonly run_id: string
}

const folder = new URL('../../../test-support/releases/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8')
const releases = readdirSync(folder)
  .filter((name) => name.endsWith('.sqlite.sql'))
  .map((name) => name.slice(0, -'.sqlite.sql'.length))

const alertmanagerYaml = `
route: { receiver: team, group_by: [alertname], group_wait: 10s, group_interval: 10m, repeat_interval: 4h }
receivers: [ { name: team } ]
`

/** Checks that the data of each service can be read and used. */
async function opensAll(storage: Storage, clock: ManualClock, facts: Facts): Promise<void> {
  const collections = [...alertsCollections, ...authCollections, ...webhooksCollections]
  const unreadable: unknown[] = []
  for await (const one of checkRecords(storage, { collections })) unreadable.push(one)
  expect(unreadable).toEqual([])
  await opensAuth(storage, clock, facts)
  const webhooks = createWebhooks({
    storage,
    clock,
    config: {
      webhooks: [{ id: 'deploy', token: 't', execute_command: '/bin/true', workdir: '/' }],
    },
  })
  expect(await getRun(webhooks, facts.run_id)).toMatchObject({
    status: 'succeeded',
    stdout: 'the release\n',
  })
  expect((await listRuns(webhooks)).runs).toHaveLength(2)
  // Last, because hours pass in it, and flows and codes expire.
  await opensAlerts(storage, clock)
}

async function opensAlerts(storage: Storage, clock: ManualClock): Promise<void> {
  const sent: string[] = []
  const notifier = createFunctionNotifier(async ({ reason }) => {
    sent.push(String(reason))
  })
  const alerts = createAlerts({
    storage,
    clock,
    config: alertmanagerYaml,
    notifiers: { team: [notifier] },
  })
  const listed = await listAlerts(alerts)
  expect(listed.map(({ labels }) => labels.instance).sort()).toEqual(['db-1', 'db-2'])
  expect(listed.map(({ startsAt }) => startsAt)).toContain('2026-01-02T13:00:00.000+01:00')
  expect(listed.filter(({ status }) => status.state === 'suppressed')).toHaveLength(1)
  expect((await listSilences(alerts)).map(({ status }) => status.state)).toEqual([
    'active',
    'active',
    'expired',
  ])
  const events = await listAlertHistory(alerts)
  expect(events.items.map(({ event }) => event)).toContain('resolved')
  expect((await listNotifications(alerts)).items.map(({ outcome }) => outcome)).toContain('sent')
  expect((await listSilenceHistory(alerts)).items).toHaveLength(4)

  // The sent notifications are known: nothing is sent before the repeat interval.
  const history = startHistory(alerts)
  const dispatcher = startDispatcher(alerts)
  const end = clock.now() + 250 * 60_000
  const before = end - 20 * 60_000
  while (clock.now() < before) await passSome(clock)
  expect(sent).toEqual([])
  while (clock.now() < end && sent.length === 0) await passSome(clock)
  await expect.poll(() => sent).toEqual(['repeat interval elapsed'])
  await dispatcher.stop()
  await history.stop()
}

async function passSome(clock: ManualClock): Promise<void> {
  clock.advance(300_000)
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

async function opensAuth(storage: Storage, clock: ManualClock, facts: Facts): Promise<void> {
  const auth = createAuth({
    storage,
    clock,
    config: {
      id: 'release',
      http: { public_origin: 'https://auth.example.com' },
      authentication: {
        identities: ['login_id'],
        primary_authenticators: ['password', 'oob_otp_email'],
        secondary_authenticators: ['totp'],
        secondary_authentication_mode: 'if_exists',
      },
      identity: {
        login_id: {
          keys: [
            { key: 'email', type: 'email' },
            { key: 'username', type: 'username' },
          ],
        },
      },
    },
    secrets: [{ id: 'release', key: 'the key of the database of a release' }],
    senders: createMessageOutbox().senders,
  })
  const user = await getUser(auth, facts.maya)
  expect(user).toMatchObject({ identities: [{}, {}] })
  const headers = new Headers({ cookie: `session=release-session.${'a'.repeat(40)}` })
  expect(await resolveSession(auth, { headers })).toMatchObject({ user_id: facts.maya })
  const byPassword = await advanceFlow(auth, {
    state_token: facts.state_token,
    input: { authentication: 'primary_password', password: 'tidal-lantern-42' },
  })
  expect(byPassword).toMatchObject({ ok: true, result: { action: { type: 'finished' } } })
  const byCode = await advanceFlow(auth, {
    state_token: facts.code_state_token,
    input: { code: facts.code },
  })
  expect(byCode).toMatchObject({ ok: true, result: { action: { type: 'finished' } } })
}

describe.each(releases)('the database of release %s', (release) => {
  const factsOf = (kind: string): Facts => JSON.parse(read(`${release}.${kind}.json`)) as Facts

  it('opens in SQLite', async () => {
    const facts = factsOf('sqlite')
    const clock = createManualClock(facts.writtenAt)
    const database = new Database(':memory:')
    database.exec(read(`${release}.sqlite.sql`))
    const storage = createSqliteStorage({ filename: ':memory:', database, clock })
    await opensAll(storage, clock, facts)
    await storage.close()
  })

  describeWithPostgres('on PostgreSQL', () => {
    const database = useDatabase()

    it('opens in PostgreSQL', async () => {
      const facts = factsOf('postgres')
      const clock = createManualClock(facts.writtenAt)
      await runSql(database.url, read(`${release}.postgres.sql`))
      const storage = createPostgresStorage({ timeoutMs: 60_000, url: database.url, clock })
      await opensAll(storage, clock, facts)
      await storage.close()
    })
  })
})
