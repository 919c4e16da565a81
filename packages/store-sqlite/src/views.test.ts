import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuth, createUser, deleteUser } from '@gatehouse/core'
import { authViews, createSession, updateUser } from '@gatehouse/core/auth'
import { defineCollection } from '@gatehouse/core/store'
import { createManualClock } from '@gatehouse/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createSqliteStorage,
  openSqliteDatabase,
  type SqliteDatabase,
  sqliteViewsSql,
} from './index.ts'

const plain = { id: 'shop', http: { public_origin: 'https://shop.example.com' } }
const secrets = [{ id: 'test', key: 'a key for tests, of 32 bytes or more' }]

describe('views with plain columns', () => {
  let folder = ''
  const open: { close(): unknown }[] = []
  const fileOf = (): string => join(folder, 'app.db')

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-sqlite-'))
  })
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close()
    rmSync(folder, { recursive: true })
  })

  /** The app's own connection to the file of the storage. */
  function connect(): SqliteDatabase {
    const database = openSqliteDatabase(fileOf(), 5_000)
    open.push(database)
    return database
  }

  function openStorage(more: Parameters<typeof createSqliteStorage>[0] | object = {}) {
    const storage = createSqliteStorage({ filename: fileOf(), reserveBytes: 0, ...more })
    open.push(storage)
    return storage
  }

  it('show users, identities and sessions, and cascade with the tables of the app', async () => {
    const storage = openStorage()
    const database = connect()
    for (const _ of ['once', 'again']) database.exec(sqliteViewsSql({ views: authViews }))
    database.exec(
      'CREATE TABLE orders (user_id TEXT NOT NULL REFERENCES gatehouse_auth_users (id) ON DELETE CASCADE, amount INTEGER)',
    )
    const auth = createAuth({ storage, config: plain, secrets, logger: false })
    const before = Date.now()
    const id = await createUser(auth, { email: 'maya@example.com', preferred_username: 'maya' })
    await updateUser(auth, id, { standard_attributes: { name: 'Maya "M" O\'Neil' } })
    await createSession(auth, id, { ip: '192.0.2.1', amr: ['pwd'] })
    database.prepare('INSERT INTO orders VALUES (?, 20)').run(id)
    const rows = (sql: string): unknown[] => database.prepare(sql).all()
    expect(
      rows(
        `SELECT u.id, u.email, u.phone, u.username, u.is_disabled, u.last_login_at,
           u.standard_attributes ->> 'name' AS name, o.amount
         FROM orders o JOIN gatehouse_users u ON u.id = o.user_id`,
      ),
    ).toEqual([
      {
        id,
        email: 'maya@example.com',
        phone: null,
        username: 'maya',
        is_disabled: 0,
        last_login_at: null,
        name: 'Maya "M" O\'Neil',
        amount: 20,
      },
    ])
    const [{ created_at }] = rows('SELECT created_at FROM gatehouse_users') as [
      { created_at: string },
    ]
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(Math.abs(Date.parse(created_at) - before)).toBeLessThan(60_000)
    expect(
      rows('SELECT user_id, type, email, username FROM gatehouse_identities ORDER BY 3'),
    ).toEqual([
      { user_id: id, type: 'login_id', email: null, username: 'maya' },
      { user_id: id, type: 'login_id', email: 'maya@example.com', username: null },
    ])
    expect(rows('SELECT user_id, ip, amr FROM gatehouse_sessions')).toEqual([
      { user_id: id, ip: '192.0.2.1', amr: '["pwd"]' },
    ])
    await deleteUser(auth, id)
    expect(rows('SELECT id FROM gatehouse_users')).toEqual([])
    expect(rows('SELECT user_id FROM orders')).toEqual([])
  })

  it('find identities by the index of the storage', async () => {
    const auth = createAuth({ storage: openStorage(), config: plain, secrets, logger: false })
    await createUser(auth, { email: 'maya@example.com' })
    const database = connect()
    database.exec(sqliteViewsSql({ views: authViews }))
    const plan = database
      .prepare(
        `EXPLAIN QUERY PLAN SELECT user_id FROM gatehouse_identities WHERE email = 'maya@example.com'`,
      )
      .all()
    expect(JSON.stringify(plan)).toContain('gatehouse_auth_identities.by_email')
  })

  it('leave out what has expired, and are in the way of no later index', async () => {
    const clock = createManualClock(Date.now() - 60_000)
    const seats = defineCollection<{ row: string }>({ name: 'seats' })
    const storage = openStorage({ clock })
    const write = (id: string, expiresAt: number) => seats.write(id, { row: id }, { expiresAt })
    await storage.commit([write('a', Date.now() - 1), write('b', Date.now() + 60_000)])
    const row = { name: 'row', path: ['row'], type: 'text' } as const
    const database = connect()
    const views = [{ name: 'free_seats', collection: seats, columns: [row] }]
    database.exec(sqliteViewsSql({ views }))
    expect(database.prepare('SELECT * FROM gatehouse_free_seats').all()).toEqual([
      { id: 'b', row: 'b' },
    ])
    const indexed = defineCollection<{ row: string }>({ name: 'seats', fields: { row: 'text' } })
    const later = openStorage({ clock })
    expect(await later.find(indexed, { by: 'row', equals: 'b', limit: 1 })).toHaveLength(1)
  })

  it('are described in the documentation', () => {
    const page = readFileSync(new URL('../../../docs/your-own-tables.md', import.meta.url), 'utf8')
    expect(page).toContain('sqliteViewsSql({ views: authViews })')
  })

  it('refuses other options, and collections whose rows may be behind', () => {
    const fed = defineCollection<{ row: string }>({ name: 'fed', feed: true })
    for (const options of [
      {},
      { views: [{}] },
      { views: [], prefix: 'A' },
      { views: [{ ...authViews[0], name: 'a"; DROP TABLE x' }] },
      { views: [{ name: 'fed', collection: fed, columns: [] }] },
    ]) {
      expect(() => sqliteViewsSql(options as never)).toThrow(
        expect.objectContaining({ reason: 'InvalidInput' }),
      )
    }
  })
})
