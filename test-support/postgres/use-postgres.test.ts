import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { dropDatabase, runSql } from './postgres-database.ts'
import { describeWithPostgres, freshDatabase, sharedPostgres, useDatabase } from './use-postgres.ts'

describeWithPostgres('the PostgreSQL of a run', () => {
  const urls: string[] = []

  describe('with a database for each test', () => {
    const database = useDatabase()

    it('is the same server for every caller', async () => {
      const [a, b] = await Promise.all([sharedPostgres(), sharedPostgres()])
      expect(a).toBe(b)
      expect(new URL(database.url).host).toBe(new URL(a).host)
    })

    it.each([1, 2])('gives each test an empty database (%i)', async () => {
      urls.push(database.url)
      const name = new URL(database.url).pathname.slice(1)
      const fresh = await freshDatabase()
      expect(await stateOf(database.url)).toEqual(await stateOf(fresh))
      await dropDatabase(fresh)
      const other = new pg.Client({ connectionString: database.url })
      other.on('error', () => {}) // it is ended before the next test
      await other.connect()
      await runSql(database.url, 'CREATE TABLE things (id int)')
      await runSql(database.url, 'CREATE SCHEMA "Other"')
      await runSql(database.url, 'CREATE TABLE "Other".things (id int)')
      await runSql(database.url, 'GRANT CREATE ON SCHEMA public TO PUBLIC')
      await runSql(database.url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`)
      await runSql(await sharedPostgres(), `ALTER DATABASE ${name} OWNER TO pg_monitor`)
    })
  })

  it('has dropped the databases of finished suites', async () => {
    expect(urls).not.toEqual([])
    for (const url of urls) await expect(runSql(url, 'SELECT 1')).rejects.toThrow('does not exist')
  })

  it('makes databases for many at once', async () => {
    const made = await Promise.all([1, 2, 3, 4].map(() => freshDatabase()))
    expect(new Set(made).size).toBe(4)
    for (const url of made) {
      expect((await runSql(url, 'SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
      await dropDatabase(url)
    }
  })
})

/** What a test may leave in a database. */
async function stateOf(url: string): Promise<unknown> {
  const { rows } = await runSql(
    url,
    `SELECT pg_get_userbyid(datdba) AS owner, current_setting('default_transaction_read_only') AS read_only,
      (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend') AS connections,
      (SELECT json_agg(ARRAY[nspname::text, pg_get_userbyid(nspowner)::text, nspacl::text] ORDER BY nspname) FROM pg_namespace) AS schemas,
      (SELECT count(*)::int FROM pg_class) AS relations
     FROM pg_database WHERE datname = current_database()`,
  )
  return rows
}
