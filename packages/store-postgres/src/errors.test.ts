import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { isGatehouseError } from '@gatehouse/core'
import { defineCollection, storageConflict } from '@gatehouse/core/store'
import { describe, expect, it } from 'vitest'
import { describeWithPostgres } from '../../../test-support/postgres/use-postgres.ts'
import { useStorages } from '../test/use-storages.ts'
import { messageOf, toStorageError } from './errors.ts'
import { createPostgresStorage, migratePostgres, type PostgresStorageOptions } from './index.ts'

const notes = defineCollection<{ text: string }>({ name: 'notes' })

/** A port on which nobody listens. */
function closedPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** The error of an attempt that must fail, as a storage fails when its database is out of order. */
async function failureOf(attempt: Promise<unknown>): Promise<Error> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!isGatehouseError(error)) throw new Error('it did not fail as a Storage does')
  expect(error).toMatchObject({ kind: 'ServiceUnavailable', reason: 'StorageUnavailable' })
  return error
}

describeWithPostgres('a failure of PostgreSQL', () => {
  const test = useStorages()
  const named = (): string => `test_${randomBytes(8).toString('hex')}`

  /** The URL of the test database with some parts replaced. */
  const urlWith = (
    parts: Partial<Pick<URL, 'username' | 'password' | 'pathname' | 'port'>>,
  ): string => Object.assign(new URL(test.url), parts).href

  /** Neither the error nor its causes contain the password or the URL. */
  const expectNoSecrets = (error: Error, url: string): void => {
    const { password } = new URL(url)
    const all = inspect(error, { depth: 10, showHidden: true })
    expect(password).not.toBe('')
    expect(all).not.toContain(password)
    expect(all).not.toContain(url)
    expect(error.stack).not.toContain(password)
  }

  it.each([
    ['a wrong password', { password: 'wrong-secret' }, '28P01', 'password authentication failed'],
    ['an unknown user', { username: 'nobody' }, '28P01', 'password authentication failed'],
    ['an unknown database', { pathname: '/nowhere' }, '3D000', 'does not exist'],
  ])('over %s names it, without secrets', async (_, parts, state, words) => {
    const url = urlWith(parts)
    const error = await failureOf(test.open({ url }).get(notes, ['a']))
    expect(error.message).toContain(`PostgreSQL refused a statement (${state})`)
    expect(error.message).toContain(words)
    expectNoSecrets(error, url)
  })

  it('to connect is reported without secrets', async () => {
    const url = urlWith({ port: `${await closedPort()}` })
    const error = await failureOf(test.open({ url }).get(notes, ['a']))
    expect(error.message).toMatch(/^PostgreSQL cannot be reached: .*ECONNREFUSED/)
    expectNoSecrets(error, url)
    await failureOf(migratePostgres({ url, collections: [notes] }))
  })

  it('at the connection limit is reported', async () => {
    const user = named()
    await test.rows(`CREATE ROLE ${user} LOGIN PASSWORD 'word' CONNECTION LIMIT 1`)
    const url = urlWith({ username: user, password: 'word' })
    const only = await test.connect({ connectionString: url })
    const storage = test.open({ url })
    expect((await failureOf(storage.get(notes, ['a']))).message).toContain('(53300)')
    await test.rows(`GRANT CREATE ON SCHEMA public TO ${user}`)
    await only.end()
    await expect.poll(() => storage.get(notes, ['a'])).toEqual([undefined])
    await storage.close()
    await test.rows(`DROP OWNED BY ${user}`)
    await expect
      .poll(() =>
        test.value('SELECT count(*)::int FROM pg_stat_activity WHERE usename = $1', [user]),
      )
      .toBe(0)
    await test.rows(`DROP ROLE ${user}`)
  })

  it('caused by a statement timeout is reported, and the connection stays in use', async () => {
    const pool = test.pool({ statement_timeout: 50 })
    const storage = test.open({ database: pool })
    await storage.commit([notes.write('a', { text: 'before' })])
    const other = await test.connect()
    await other.query('BEGIN')
    await other.query('LOCK TABLE gatehouse_notes')
    const error = await failureOf(storage.commit([notes.write('a', { text: 'secret value' })]))
    expect(error.message).toContain('PostgreSQL refused a statement (57014)')
    expect(inspect(error)).not.toContain('secret value')
    await other.query('ROLLBACK')
    expect((await notes.get(storage, 'a'))?.value.text).toBe('before')
    expect(pool.idleCount).toBe(pool.totalCount)
  })

  it('caused by a server that became a standby is reported, and its connections are closed', async () => {
    const pool = test.pool()
    await test.open().commit([notes.write('a', { text: 'before' })])
    const name = new URL(test.url).pathname.slice(1)
    await test.rows(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    const storage = test.open({ database: pool })
    expect((await notes.get(storage, 'a'))?.value.text).toBe('before')
    const error = await failureOf(storage.commit([notes.write('a', { text: 'after' })]))
    expect(error.message).toContain('PostgreSQL refused a statement (25006)')
    expect(pool.totalCount).toBe(0)
    await test.rows(`ALTER DATABASE ${name} SET default_transaction_read_only = off`)
    await storage.commit([notes.write('a', { text: 'after' })])
    expect((await notes.get(storage, 'a'))?.value.text).toBe('after')
  })

  it.each([
    ['breaks a constraint', `CHECK (value NOT LIKE '%secret%')`, '23514'],
    ['cannot be converted', `CHECK ((value::jsonb ->> 'text')::int > 0)`, '22P02'],
  ])('over a value that %s does not quote it', async (_, constraint, state) => {
    const storage = test.open()
    await storage.get(notes, ['a'])
    await test.rows(`ALTER TABLE gatehouse_notes ADD ${constraint}`)
    const error = await failureOf(storage.commit([notes.write('id', { text: 'secret value' })]))
    expect(error.message).toBe(`PostgreSQL refused a statement (${state})`)
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('secret value')
  })

  it('does not affect other collections', async () => {
    const storage = test.open()
    const others = defineCollection<number>({ name: 'others' })
    await storage.commit([notes.write('a', { text: 'a' }), others.write('a', 1)])
    await test.rows('ALTER TABLE gatehouse_notes RENAME TO elsewhere')
    await failureOf(storage.find(notes, { by: 'id', limit: 1 }))
    expect((await others.get(storage, 'a'))?.value).toBe(1)
  })
})

describe('invalid options', () => {
  const secret = 'hunter2'
  const url = `postgres://user:${secret}@127.0.0.1/name`
  const refusalOf = (options: unknown): Error => {
    try {
      createPostgresStorage(options as PostgresStorageOptions)
    } catch (error) {
      if (error instanceof Error) return error
    }
    throw new Error('the options were accepted')
  }

  it.each([
    `http://user:${secret}@127.0.0.1/name`,
    `user:${secret}@127.0.0.1/name`,
    `postgres://user:${secret}@127.0.0.1:port/name`,
    `host=127.0.0.1 password=${secret}`,
    '',
  ])('are refused without quoting the URL (%#)', (unfit) => {
    const error = refusalOf({ url: unfit })
    expect(error).toMatchObject({ reason: 'InvalidInput' })
    expect(error.message).toContain('postgres://')
    expect(inspect(error, { showHidden: true }).split('\n')[0]).not.toContain(secret)
    expect(error.cause).toBeUndefined()
  })

  it.each([
    {},
    { url, database: { connect: async () => ({}) } },
    { database: null },
    { database: {} },
    { database: 'a text' },
    { database: { query: async () => ({ rows: [] }) } },
    { url, migrate: 'never' },
    { url, prefix: 'A' },
    { url, schema: 'a.b' },
  ])('are refused (%#)', (options) => {
    const error = refusalOf(options)
    expect(error).toMatchObject({ reason: 'InvalidInput' })
    expect(error.message).not.toContain(secret)
  })

  it.each([
    { maxConnections: 0 },
    { maxConnections: 1.5 },
    { maxPending: -1 },
    { timeoutMs: 0 },
    { timeoutMs: Number.POSITIVE_INFINITY },
    { timeoutMs: 2 ** 31 },
  ])('are refused with the name of the option (%j)', (options) => {
    const error = refusalOf({ url, ...options })
    expect(error).toMatchObject({ reason: 'InvalidInput' })
    expect(error.message).toContain(Object.keys(options)[0])
  })
})

describe('messageOf', () => {
  it('returns the message of the first address if the driver gives none', () => {
    const refused = new Error('connect ECONNREFUSED ::1:5432')
    expect(messageOf(new AggregateError([refused, new Error('another')]))).toBe(refused.message)
    expect(messageOf(new AggregateError([]))).toBe('AggregateError')
    expect(messageOf('a text')).toBe('a text')
  })
})

describe('toStorageError', () => {
  it('distinguishes a full disk from other refusals', () => {
    const error = Object.assign(new Error('could not extend file'), {
      code: '53100',
      severity: 'ERROR',
    })
    expect(toStorageError(error)).toMatchObject({
      kind: 'ServiceUnavailable',
      reason: 'StorageFull',
      message: 'the disk of PostgreSQL is full',
    })
  })

  it('returns our own errors and programming errors unchanged', () => {
    for (const error of [storageConflict(notes, 'a'), new TypeError('a mistake')]) {
      expect(toStorageError(error)).toBe(error)
    }
  })

  it('does not take an operating system code for one of PostgreSQL', () => {
    const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
    expect(toStorageError(broken)).toMatchObject({
      message: 'PostgreSQL cannot be reached: write EPIPE',
      cause: broken,
    })
  })
})
