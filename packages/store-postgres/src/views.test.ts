import { readFileSync } from 'node:fs'
import { createAuth, createUser, deleteUser } from '@gatehouse/core'
import { authCollections, authViews, createSession, updateUser } from '@gatehouse/core/auth'
import { defineCollection } from '@gatehouse/core/store'
import { createManualClock } from '@gatehouse/core/testing'
import { expect, it } from 'vitest'
import { describeWithPostgres } from '../../../test-support/postgres/use-postgres.ts'
import { useStorages } from '../test/use-storages.ts'
import { createPostgresStorage, postgresViewsSql } from './index.ts'

const plain = { id: 'shop', http: { public_origin: 'https://shop.example.com' } }
const secrets = [{ id: 'test', key: 'a key for tests, of 32 bytes or more' }]

describeWithPostgres('views with plain columns', () => {
  const test = useStorages()

  it('show users, identities and sessions, and cascade with the tables of the app', async () => {
    const storage = test.open()
    await test.migrate({ collections: authCollections })
    const sql = postgresViewsSql({ views: authViews })
    for (const _ of ['once', 'again']) await test.rows(sql)
    await test.rows(
      'CREATE TABLE orders (user_id text NOT NULL REFERENCES gatehouse_auth_users (id) ON DELETE CASCADE, amount int)',
    )
    const auth = createAuth({ storage, config: plain, secrets, logger: false })
    const before = Date.now()
    const id = await createUser(auth, { email: 'maya@example.com', preferred_username: 'maya' })
    await updateUser(auth, id, { standard_attributes: { name: 'Maya "M" O\'Neil' } })
    await createSession(auth, id, { ip: '192.0.2.1', amr: ['pwd'] })
    await test.rows('INSERT INTO orders VALUES ($1, 20)', [id])
    expect(
      await test.rows(
        `SELECT u.id, u.email, u.phone, u.username, u.is_disabled, u.last_login_at, u.standard_attributes ->> 'name', o.amount
         FROM orders o JOIN gatehouse_users u ON u.id = o.user_id`,
      ),
    ).toEqual([[id, 'maya@example.com', null, 'maya', false, null, 'Maya "M" O\'Neil', 20]])
    const [[created]] = (await test.rows('SELECT created_at FROM gatehouse_users')) as [[Date]]
    expect(Math.abs(created.getTime() - before)).toBeLessThan(60_000)
    expect(
      await test.rows('SELECT user_id, type, email, username FROM gatehouse_identities ORDER BY 3'),
    ).toEqual([
      [id, 'login_id', 'maya@example.com', null],
      [id, 'login_id', null, 'maya'],
    ])
    expect(await test.rows('SELECT user_id, ip, amr FROM gatehouse_sessions')).toEqual([
      [id, '192.0.2.1', ['pwd']],
    ])
    await deleteUser(auth, id)
    expect(
      await test.rows(
        'SELECT (SELECT count(*) FROM gatehouse_users)::int, (SELECT count(*) FROM orders)::int',
      ),
    ).toEqual([[0, 0]])
  })

  it('find identities by the index of the storage', async () => {
    await test.migrate({ collections: authCollections })
    await test.rows(postgresViewsSql({ views: authViews }))
    const client = await test.connect()
    await client.query('SET enable_seqscan = off')
    const { rows } = await client.query({
      text: `EXPLAIN SELECT user_id FROM gatehouse_identities WHERE email = 'maya@example.com'`,
      rowMode: 'array',
    })
    expect(rows.flat().join('\n')).toContain('gatehouse_auth_identities.by_email')
  })

  it('leave out what has expired, and are in the way of no later migration', async () => {
    const clock = createManualClock(Date.now() - 60_000)
    const seats = defineCollection<{ row: string }>({ name: 'seats' })
    const names = { schema: 'Other', prefix: 'own_' }
    const storage = createPostgresStorage({ timeoutMs: 60_000, url: test.url, clock, ...names })
    const write = (id: string, expiresAt: number) => seats.write(id, { row: id }, { expiresAt })
    await storage.commit([write('a', Date.now() - 1), write('b', Date.now() + 60_000)])
    const row = { name: 'row', path: ['row'], type: 'text' } as const
    const views = [{ name: 'free_seats', collection: seats, columns: [row] }]
    await test.rows(postgresViewsSql({ views, ...names }))
    expect(await test.rows('SELECT * FROM "Other".own_free_seats')).toEqual([['b', 'b']])
    const indexed = defineCollection<{ row: string }>({ name: 'seats', fields: { row: 'text' } })
    await test.migrate({ collections: [indexed, ...authCollections], ...names })
    await storage.close()
  })

  it('stand in the documentation with all their columns', () => {
    const page = readFileSync(new URL('../../../docs/your-own-tables.md', import.meta.url), 'utf8')
    for (const { name, columns } of authViews) {
      const listed = ['id', ...columns.map((one) => one.name)].map((one) => `\`${one}\``)
      expect(page).toContain(`| \`gatehouse_${name}\` | ${listed.join(', ')} |`)
    }
  })

  it('refuses other options', () => {
    for (const options of [
      {},
      { views: [{}] },
      { views: [], prefix: 'A' },
      { views: [], more: 1 },
      { views: [{ ...authViews[0], name: 'a"; DROP TABLE x' }] },
    ]) {
      expect(() => postgresViewsSql(options as never)).toThrow(
        expect.objectContaining({ reason: 'InvalidInput' }),
      )
    }
  })
})
