import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleFixture, startFixture } from '../fixture-process.ts'
import { findPostgres } from './postgres-binaries.ts'
import { dropDatabase, runSql } from './postgres-database.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

const found = findPostgres()
const reason = 'missing' in found ? ` (${found.missing})` : ''

const answerTo = async (url: string, sql: string): Promise<unknown> => {
  const { rows } = await runSql(url, sql)
  return Object.values(rows[0])[0]
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'

describe.skipIf(reason !== '')(`a PostgreSQL of a test${reason}`, () => {
  let server: PostgresServer

  beforeAll(async () => {
    server = await startPostgres()
    return () => server.end()
  })

  /** A database with a table of numbers. */
  const createNumbers = async (...numbers: readonly number[]): Promise<string> => {
    const url = await server.createDatabase()
    const rows = numbers.map((number) => `(${number})`).join()
    await runSql(url, `CREATE TABLE numbers (n int); INSERT INTO numbers VALUES ${rows}`)
    return url
  }
  const readNumbers = async (url: string): Promise<number[]> => {
    const { rows } = await runSql(url, 'SELECT n FROM numbers ORDER BY n')
    return rows.map(({ n }) => n)
  }

  it('is version 18, makes what it commits durable, and compares texts by their bytes', async () => {
    expect(await answerTo(server.url, 'SHOW server_version')).toMatch(/^18\./)
    expect(await answerTo(server.url, 'SHOW fsync')).toBe('on')
    expect(await answerTo(server.url, 'SHOW synchronous_commit')).toBe('on')
    expect(await answerTo(server.url, 'SHOW server_encoding')).toBe('UTF8')
    expect(await answerTo(server.url, `SELECT 'B' < 'a' AND 'z' < 'ä'`)).toBe(true)
  })

  it('refuses connections without the password', async () => {
    const url = new URL(server.url)
    url.password = 'guessed'
    await expect(runSql(url.href, 'SELECT 1')).rejects.toThrow('password authentication failed')
  })

  it('makes separate databases, and drops one that is in use', async () => {
    const [a, b] = [await createNumbers(1), await createNumbers(2)]
    expect(await readNumbers(a)).toEqual([1])
    expect(await readNumbers(b)).toEqual([2])
    const client = new pg.Client({ connectionString: b })
    const cut = new Promise((resolve) => client.on('error', resolve))
    await client.connect()
    await dropDatabase(b)
    await cut
    await expect(readNumbers(b)).rejects.toThrow('does not exist')
    expect(await readNumbers(a)).toEqual([1])
  })

  it('keeps its data and its port over a stop and a start', async () => {
    const url = await createNumbers(1, 2)
    await server.stop()
    await expect(readNumbers(url)).rejects.toSatisfy(isRefused)
    await expect(server.stop()).rejects.toThrow('not running')
    await server.start()
    expect(await readNumbers(url)).toEqual([1, 2])
    await expect(server.start()).rejects.toThrow('running already')
  })

  it('keeps committed rows over a kill, and no uncommitted ones', async () => {
    const url = await createNumbers(1)
    const client = new pg.Client({ connectionString: url })
    const cut = new Promise((resolve) => client.on('error', resolve))
    await client.connect()
    await client.query('INSERT INTO numbers VALUES (2)')
    await client.query('BEGIN; INSERT INTO numbers VALUES (3)')
    await server.kill()
    await cut
    await expect(readNumbers(url)).rejects.toSatisfy(isRefused)
    await server.start()
    expect(await readNumbers(url)).toEqual([1, 2])
  })

  it('answers nothing while paused, and continues when resumed', async () => {
    const url = await createNumbers(1)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await server.pause()
    let answered = 0
    const answer = client.query('SELECT n FROM numbers').then(({ rows }) => {
      answered = rows.length
    })
    const late = new pg.Client({ connectionString: url, connectionTimeoutMillis: 200 })
    await expect(late.connect()).rejects.toThrow('timeout')
    expect(answered).toBe(0)
    await server.resume()
    await answer
    expect(answered).toBe(1)
    await client.end()
  })

  it('can be stopped and killed while it is paused', async () => {
    const url = await createNumbers(1)
    await server.pause()
    await server.stop()
    await server.start()
    await server.pause()
    await server.kill()
    await server.start()
    expect(await readNumbers(url)).toEqual([1])
  })

  it('runs beside others, and leaves nothing behind', async () => {
    const other = await startPostgres()
    expect(other.url).not.toBe(server.url)
    const folder = dirname(String(await answerTo(other.url, 'SHOW data_directory')))
    await other.end()
    await expect(runSql(other.url, 'SELECT 1')).rejects.toSatisfy(isRefused)
    expect(existsSync(folder)).toBe(false)
  })
})

describe.skipIf(reason !== '')(`a PostgreSQL whose test dies${reason}`, () => {
  let file: string

  beforeAll(async () => {
    file = await bundleFixture(new URL('../abandon.fixture.ts', import.meta.url))
  })
  afterAll(() => rm(file))

  it('ends, and leaves nothing behind', async () => {
    const program = startFixture(file, [])
    await program.hasWritten(1)
    const [url = ''] = program.lines
    const folder = dirname(String(await answerTo(url, 'SHOW data_directory')))
    await program.kill()
    await expect.poll(() => existsSync(folder), { timeout: 15_000 }).toBe(false)
    await expect(runSql(url, 'SELECT 1')).rejects.toSatisfy(isRefused)
  })
})
