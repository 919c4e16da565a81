import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** Makes a new database on the server of `serverUrl` and returns its URL. */
export async function createDatabase(serverUrl: string): Promise<string> {
  const url = new URL(serverUrl)
  const name = `test_${randomBytes(8).toString('hex')}`
  await runSql(serverUrl, `CREATE DATABASE ${name}`)
  url.pathname = `/${name}`
  return url.href
}

/** Drops a database of {@link createDatabase}, even while clients are connected to it. */
export async function dropDatabase(url: string): Promise<void> {
  const serverUrl = new URL(url)
  const name = serverUrl.pathname.slice(1)
  serverUrl.pathname = '/postgres'
  await runSql(serverUrl.href, `DROP DATABASE ${pg.escapeIdentifier(name)} WITH (FORCE)`)
}

/** Runs one statement on a connection of its own. */
export async function runSql(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 })
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}
