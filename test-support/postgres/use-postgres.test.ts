import { expect, it } from 'vitest'
import { dropDatabase, runSql } from './postgres-database.ts'
import { describeWithPostgres, freshDatabase, sharedPostgres, useDatabase } from './use-postgres.ts'

describeWithPostgres('the PostgreSQL of a run', () => {
  const database = useDatabase()
  const urls: string[] = []

  it('is the same server for every caller', async () => {
    const [a, b] = await Promise.all([sharedPostgres(), sharedPostgres()])
    expect(a).toBe(b)
    expect(new URL(database.url).host).toBe(new URL(a).host)
  })

  it.each([1, 2])('gives each test an empty database (%i)', async () => {
    await runSql(database.url, 'CREATE TABLE things (id int)')
    urls.push(database.url)
    expect(new Set(urls).size).toBe(urls.length)
  })

  it('has dropped the databases of finished tests', async () => {
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
